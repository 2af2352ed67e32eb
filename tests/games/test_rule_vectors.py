"""Runs the rule vectors of both games: one position and one answer each.

The form of the files is described in the protocol document, so that another implementation can
run them too. Each game's module in ``RUNNERS`` knows how its questions are put to the engine.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.games import vectors_belota, vectors_shared

Vector = dict[str, Any]
Runner = Callable[[Vector], Any]

ROOT = Path(__file__).parent.parent / "vectors" / "rules"
FORMAT = "p2pcards-rules-1"
RUNNERS: dict[str, dict[str, Runner]] = {
    "belota": {**vectors_shared.runners("belota"), **vectors_belota.RUNNERS},
}
FIELDS: dict[str, dict[str, set[str]]] = {
    "belota": {**vectors_shared.FIELDS, **vectors_belota.FIELDS},
}
COMMON = {"id", "ask", "options", "answer", "why"}
FILES = sorted(ROOT.glob("*/*.json"))


def load(path: Path) -> dict[str, Any]:
    """One file of vectors."""
    data: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return data


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
    assert ask in RUNNERS[game], f"no such question: {ask}"
    assert set(vector) - COMMON == FIELDS[game][ask], "unknown or missing fields"
    assert RUNNERS[game][ask](vector) == vectors_shared.wanted(vector), vector["why"]


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_a_file_of_vectors(path: Path) -> None:
    data = load(path)
    assert set(data) == {"format", "game", "about", "vectors"}
    assert data["format"] == FORMAT
    assert data["game"] == path.parent.name
    ids = [vector["id"] for vector in data["vectors"]]
    assert len(ids) == len(set(ids))
    assert all(vector["why"].endswith((".", ")")) for vector in data["vectors"])


def test_there_are_enough_vectors() -> None:
    assert len(every_vector()) >= 60
