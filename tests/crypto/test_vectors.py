"""Runs the committed vectors, against the code and against the oracle, and makes them anew.

The form of the files is described in the protocol document. Each vector has one outcome.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tools import make_vectors

from p2pcards.crypto.errors import CryptoError
from tests.crypto.asks import CODE
from tests.crypto.curve import Refused
from tests.crypto.oracle_asks import ORACLE

FILES = sorted(make_vectors.FOLDER.glob("*.json"))
AREAS = {"absent", "encoding", "hashing", "keys", "parts", "shares", "shuffle", "transcript"}

Vector = dict[str, Any]


def load(path: Path) -> dict[str, Any]:
    """One file of vectors."""
    data: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return data


def every_vector() -> Iterator[Any]:
    """Each vector of each file with the file's inputs, named by its area and id."""
    for path in FILES:
        data = load(path)
        for vector in data["vectors"]:
            yield pytest.param(data["inputs"], vector, id=f"{data['area']}-{vector['id']}")


def resolve(value: Any, shared: dict[str, Any]) -> Any:
    """A value with references and edits carried out."""
    if isinstance(value, str) and value.startswith("@"):
        return resolve(shared[value[1:]], shared)
    if isinstance(value, list):
        return [resolve(item, shared) for item in value]
    if not isinstance(value, dict):
        return value
    if "of" not in value:
        return {key: resolve(item, shared) for key, item in value.items()}
    data = bytearray.fromhex(resolve(value["of"], shared))
    if "put" in value:
        put = bytes.fromhex(value["put"])
        data[value["at"] : value["at"] + len(put)] = put
    return bytes(data[: value.get("keep")]).hex() + value.get("more", "")


@pytest.mark.parametrize(("shared", "vector"), [*every_vector()])
def test_vector(shared: dict[str, Any], vector: Vector) -> None:
    fields, ask = resolve(vector["inputs"], shared), vector["ask"]
    if vector["outcome"] == "accept":
        assert CODE[ask](fields) == vector["output"], vector["why"]
        assert ORACLE[ask](fields) == vector["output"], vector["why"]
    else:
        with pytest.raises(CryptoError):
            CODE[ask](fields)
        with pytest.raises(Refused):
            ORACLE[ask](fields)


def test_the_files_are_what_their_maker_writes() -> None:
    committed = {path.name: path.read_bytes() for path in FILES}
    assert make_vectors.files() == committed, "run: make vectors"
    assert sum(len(data) for data in committed.values()) < 300_000


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_file_of_vectors(path: Path) -> None:
    data = load(path)
    assert set(data) == {"format", "area", "about", "inputs", "vectors"}
    assert data["format"] == "p2pcards-crypto-1"
    assert data["area"] == path.stem
    ids = [vector["id"] for vector in data["vectors"]]
    assert len(ids) == len(set(ids))
    for vector in data["vectors"]:
        outcome = {"accept": {"outcome", "output"}, "reject": {"outcome"}}[vector["outcome"]]
        assert set(vector) == {"id", "ask", "inputs", "why"} | outcome
        assert vector["why"].endswith(".")


def test_most_vectors_are_rejections_and_every_area_has_some() -> None:
    outcomes = {path.stem: [v["outcome"] for v in load(path)["vectors"]] for path in FILES}
    assert set(outcomes) == AREAS
    flat = [outcome for each in outcomes.values() for outcome in each]
    assert flat.count("reject") > 2 * flat.count("accept")


def test_no_two_vectors_put_the_same_question() -> None:
    seen: dict[str, str] = {}
    for path in FILES:
        data = load(path)
        for vector in data["vectors"]:
            asked = [vector["ask"], resolve(vector["inputs"], data["inputs"])]
            key = json.dumps(asked, sort_keys=True)
            assert key not in seen, f"{vector['id']} repeats {seen.get(key)}"
            seen[key] = vector["id"]
