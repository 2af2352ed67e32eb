"""Runs the rule vectors of both games: one position and one answer each.

The form of the files is described in the protocol document, so that another implementation can
run them too. ``vectors_shared`` puts the questions that both games have to an engine; a game's
own questions are in ``vectors_NAME``, as ``RUNNERS`` and the ``FIELDS`` of each.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from p2pcards.games.registry import GAMES
from tests.games import vectors_shared

Vector = dict[str, Any]
Runner = Callable[[Vector], Any]

ROOT = Path(__file__).parent.parent / "vectors" / "rules"
FORMAT = "p2pcards-rules-1"
COMMON = {"id", "ask", "answer", "why"}
FILES = sorted(ROOT.glob("*/*.json"))


def load(path: Path) -> dict[str, Any]:
    """One file of vectors."""
    data: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return data


def questions(game: str) -> tuple[dict[str, Runner], dict[str, set[str]]]:
    """How each question of a game is put to its engine, and the fields that it has."""
    runners, fields = vectors_shared.runners(game), dict(vectors_shared.FIELDS)
    name = f"tests.games.vectors_{game}"
    if find_spec(name) is not None:
        own = import_module(name)
        runners, fields = {**runners, **own.RUNNERS}, {**fields, **own.FIELDS}
    return runners, fields


def every_vector() -> list[Any]:
    """Each vector of each file, named by its game, file and id."""
    params = []
    for path in FILES:
        data = load(path)
        for vector in data["vectors"]:
            name = f"{data['game']}-{path.stem}-{vector['id']}"
            params.append(pytest.param(data["game"], vector, id=name))
    return params


@pytest.mark.parametrize(("game", "vector"), every_vector())
def test_vector(game: str, vector: Vector) -> None:
    ask = vector["ask"]
    runners, fields = questions(game)
    assert ask in runners, f"no such question: {ask}"
    assert set(vector) - COMMON - vectors_shared.MAY_HAVE == fields[ask], "unknown or missing field"
    assert runners[ask](vector) == vectors_shared.wanted(vector), vector["why"]


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_a_file_of_vectors(path: Path) -> None:
    data = load(path)
    assert set(data) == {"format", "game", "about", "vectors"}
    assert data["format"] == FORMAT
    assert data["game"] == path.parent.name
    ids = [vector["id"] for vector in data["vectors"]]
    assert len(ids) == len(set(ids))
    assert all(vector["why"].endswith((".", ")")) for vector in data["vectors"])


@pytest.mark.parametrize("game", GAMES)
def test_there_are_enough_vectors(game: str) -> None:
    assert sum(param.values[0] == game for param in every_vector()) >= 60
