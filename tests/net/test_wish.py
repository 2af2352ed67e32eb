"""What a player asked of a table: the usual where nothing was, and no table that is otherwise."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from p2pcards.net.discovery import TableAd
from p2pcards.net.search import Search
from p2pcards.net.wish import Role, Wish
from p2pcards.protocol.limits import VERSION
from p2pcards.protocol.terms import make_terms

WISH = Wish("belota", {}, None, Role.JOIN, None, None, None, 1.0, (), ())
ASKED = replace(WISH, options={"target": "301"}, table="t", partners="chosen", deadline=30, think=7)


def test_a_table_opened_has_the_usual_terms_where_nothing_was_asked_for() -> None:
    usual = WISH.terms("Ana")
    assert (usual.name, usual.partners, usual.deadline, usual.think) == (
        "Ana's table", "drawn", 20, 120,
    )  # fmt: skip
    asked = ASKED.terms("Ana")
    assert (asked.name, asked.partners, asked.deadline, asked.think) == ("t", "chosen", 30, 7)
    assert ("target", "301") in asked.options


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        ({"game": "belka", "options": {}}, "that table plays belka, not belota"),
        ({"name": "other"}, "that table is other, not t"),
        ({"options": {"target": "501"}}, "that table plays by other rules than you asked for"),
        ({"partners": "drawn"}, "partners are drawn at that table, and you asked for chosen ones"),
        (
            {"deadline": 20},
            "that table gives 20 s for a step without thought, and you asked for 30",
        ),
        ({"think": 8}, "that table gives 8 s for a bid or a card, and you asked for 7"),
    ],
)
def test_who_asked_for_something_refuses_a_table_that_is_otherwise(
    changed: dict[str, Any], why: str
) -> None:
    terms = ASKED.terms("Ana")
    assert ASKED.against(terms) is None
    values: dict[str, Any] = {
        "table": bytes(16), "name": terms.name, "game": terms.game, "options": {"target": "301"},
        "partners": terms.partners, "deadline": terms.deadline, "think": terms.think, **changed,
    }  # fmt: skip
    assert ASKED.against(make_terms(**values)) == why


async def test_at_an_address_any_game_is_taken_and_no_other_table() -> None:
    there = replace(WISH, connect=(("192.0.2.1", 4000),), only_there=True)
    belka = replace(WISH, game="belka").terms("Ana")
    assert there.against(belka) is None
    assert WISH.against(belka) is not None
    ad = TableAd("t", "ab" * 16, "belota", "", 3, VERSION, "Ana", "cd", 4001, ("192.0.2.2",))
    tables: Any = SimpleNamespace(snapshot=lambda: [ad])
    assert Search(tables, WISH, "me")._candidates() == [ad]
    assert Search(tables, there, "me")._candidates() == []
    other = replace(WISH, game="belka")
    assert Search(tables, other, "me")._candidates() == []
    # By its name it is asked all the same, and says what it plays.
    assert Search(tables, replace(other, table="t"), "me")._candidates() == [ad]
    assert Search(tables, replace(other, table="t", role=Role.AUTO), "me")._candidates() == []


def test_who_asked_for_chosen_partners_only_refuses_nothing_else() -> None:
    terms = ASKED.terms("Ana")
    assert replace(WISH, partners="drawn").against(terms) == (
        "partners are chosen at that table, and you asked for drawn ones"
    )
    assert WISH.against(terms) is None
