"""The specification's table of attacks and the tests of attacks are the same list."""

from __future__ import annotations

import ast
import re
from pathlib import Path

from p2pcards.protocol.faults import FaultKind

ROOT = Path(__file__).parents[2]
ABOUT_TESTS = {"test_attack_goes_unnoticed_without_its_check"}
"""Tests of the attack tests themselves; the text names them, the tables need not."""


def written() -> set[str]:
    """Every test of an attack in the tree."""
    found: set[str] = set()
    for path in (ROOT / "tests").rglob("test_*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                found.add(node.name)
    return {name for name in found if name.startswith("test_attack_")} - {
        "test_attack_table_is_complete"
    }


def test_attack_table_is_complete() -> None:
    """Each attack stands in a table row, and each row's test is there; at least forty of them."""
    text = (ROOT / "protocol.md").read_text(encoding="utf-8")
    rows = [line for line in text.splitlines() if line.startswith("|")]
    listed = {name for row in rows for name in re.findall(r"test_attack_\w+", row)}
    assert listed == written() - ABOUT_TESTS
    assert len(listed) >= 40


def test_the_list_of_faults_is_the_specifications() -> None:
    """The closed list of kinds, each with a row of its own in section 14."""
    text = (ROOT / "protocol.md").read_text(encoding="utf-8")
    section = text.split("\n## 14 Faults", 1)[1].split("\n### ", 1)[0]
    kinds = re.findall(r"^\| `([a-z-]+)` \|", section, re.MULTILINE)
    assert sorted(kinds) == sorted(kind.value for kind in FaultKind)
