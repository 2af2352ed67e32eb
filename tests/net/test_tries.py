"""What came of joining tables decides which are tried again, and for which ours is given up."""

from __future__ import annotations

from p2pcards.net.discovery import TableAd
from p2pcards.net.lobby import LobbyClosed, TableMoved
from p2pcards.net.tries import AGAIN, AGAIN_MAX, TRIED_MAX, YIELDS, YIELDS_IN_ALL, Tried, Tries


def table(number: int) -> TableAd:
    """A table that announces itself."""
    return TableAd(
        table="Kitchen", table_id=f"{number:032x}", game="belota", options="", free=3, version=1,
        nick="Ana", peer="", port=4000, addresses=("192.0.2.1",),
    )  # fmt: skip


def failed(tried: Tried, number: int, times: int = 1) -> Tries:
    """What is kept of a table that could not be joined so many times."""
    tries = tried.of(table(number))
    for _ in range(times):
        tries.failed(TableMoved("out of reach"), "out of reach", 0.0)
    tried.keep(table(number), tries)
    return tries


def test_ours_is_given_up_for_a_table_until_that_was_in_vain_twice() -> None:
    tried = Tried()
    assert tried.may_yield_to(table(1))
    failed(tried, 1, YIELDS - 1)
    assert tried.may_yield_to(table(1))
    failed(tried, 1)
    assert not tried.may_yield_to(table(1))
    assert tried.may_yield_to(table(2))


def test_ever_new_older_tables_do_not_keep_ours_from_forming() -> None:
    tried = Tried()
    for number in range(YIELDS_IN_ALL - 1):
        failed(tried, number)
    assert tried.may_yield_to(table(99))
    failed(tried, 50)
    assert not tried.may_yield_to(table(99))


def test_the_time_before_the_next_try_doubles_to_a_limit() -> None:
    tries = Tries()
    times = []
    for _ in range(8):
        tries.failed(TableMoved("gone"), "gone", 100.0)
        times.append(tries.again - 100.0)
    assert times[:3] == [AGAIN, 2 * AGAIN, 4 * AGAIN]
    assert times[-1] == AGAIN_MAX


def test_made_up_tables_do_not_grow_what_is_remembered() -> None:
    tried = Tried()
    for number in range(3 * TRIED_MAX):
        failed(tried, number)
    assert sum(tried.of(table(n)).count for n in range(3 * TRIED_MAX)) == TRIED_MAX
    assert tried.of(table(0)).count == 0


def test_only_a_refusal_counts_as_one() -> None:
    tried = Tried()
    failed(tried, 1, 5)
    assert tried.last_refusal() is None
    tries = tried.of(table(1))
    for _ in range(3):
        assert not tries.is_hopeless
        tries.failed(LobbyClosed("the rules differ"), "the rules differ", 0.0)
    assert tries.is_hopeless
    assert tried.last_refusal() == "the rules differ"
