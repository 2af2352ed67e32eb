# Everything is set up in .venv on first use; nothing outside this folder is changed.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
ARGS ?=
CODE := $(wildcard src tests tools examples)

.PHONY: demo test lint vectors clean

# Two stamps, so that playing does not wait for the developers' tools.
$(VENV)/.run: pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "p2pcards needs Python 3.11 or newer; set PYTHON=/path/to/one" >&2; exit 2; }
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e .
	@touch $@

$(VENV)/.dev: $(VENV)/.run
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[dev]'
	@touch $@

demo: $(VENV)/.run
	@$(BIN)/p2pcards demo $(ARGS)

lint: $(VENV)/.dev
	$(BIN)/ruff format --check $(CODE)
	$(BIN)/ruff check $(CODE)
	$(BIN)/mypy $(CODE)
	$(BIN)/lint-imports

test: lint
	$(BIN)/python -m pytest $(ARGS)

vectors: $(VENV)/.dev
	$(BIN)/python -m tools.make_vectors

clean:
	rm -rf $(VENV) build dist src/*.egg-info
