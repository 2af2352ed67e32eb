"""What came of joining tables: when each may be tried again, and when one is given up."""

from __future__ import annotations

from dataclasses import dataclass

from p2pcards.net.discovery import TableAd
from p2pcards.net.errors import NetError
from p2pcards.net.greet import LinkRefused
from p2pcards.net.lobby import NOT_HERE, NOT_NOW, LobbyClosed, TableMoved

AGAIN = 0.5
"""Seconds before a table that could not be joined is tried again; doubled each time."""
AGAIN_MAX = 8.0
"""Seconds between two tries of one table, at most."""
TRIED_MAX = 256
"""Tables remembered as tried; anybody can announce any number."""
YIELDS = 2
"""Failures to join an older table after which ours is not given up for it any more."""
YIELDS_IN_ALL = 6
"""Failures to join any tables after which ours is given up for none."""
REFUSALS = 3
"""Refusals after which a joiner of one certain table gives up."""


@dataclass(slots=True)
class Tries:
    """How often a table could not be joined, the last reason, and when it may be tried again."""

    count: int = 0
    refusals: int = 0
    reason: str = ""
    again: float = 0.0

    @property
    def is_hopeless(self) -> bool:
        """Whether the table has refused us often enough to believe it."""
        return self.refusals >= REFUSALS

    def failed(self, error: NetError, reason: str, now: float) -> None:
        """Note that the table could not be joined, and why in words."""
        self.again = now + min(AGAIN * 2**self.count, AGAIN_MAX)
        self.count += 1
        self.refusals += _is_final(error)
        self.reason = reason


class Tried:
    """The tries of every table, as far as they are remembered."""

    def __init__(self) -> None:
        self._tries: dict[str, Tries] = {}

    def of(self, ad: TableAd) -> Tries:
        """What came of joining a table so far; kept only once :meth:`keep` was told."""
        return self._tries.get(_key(ad)) or Tries()

    def keep(self, ad: TableAd, tries: Tries) -> None:
        """Remember a table's tries; the oldest table is forgotten for a new one beyond a bound."""
        if len(self._tries) >= TRIED_MAX and _key(ad) not in self._tries:
            del self._tries[next(iter(self._tries))]
        self._tries[_key(ad)] = tries

    def may_yield_to(self, ad: TableAd) -> bool:
        """Whether giving our table up for this one is not known to be in vain."""
        in_all = sum(tries.count for tries in self._tries.values())
        return self.of(ad).count < YIELDS and in_all < YIELDS_IN_ALL

    def last_refusal(self) -> str | None:
        """Why the table that refused us last did so, in words."""
        reasons = [tries.reason for tries in self._tries.values() if tries.refusals]
        return reasons[-1] if reasons else None


def _key(ad: TableAd) -> str:
    return ad.table_id or str(ad.dial)


def _is_final(error: NetError) -> bool:
    """Whether a table has refused us, rather than moved or been out of reach for the moment."""
    if isinstance(error, LinkRefused):
        return error.reason not in (NOT_NOW, NOT_HERE)
    return isinstance(error, LobbyClosed) and not isinstance(error, TableMoved)
