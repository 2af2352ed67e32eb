"""Headless players stand in nobody's way: they join those who ask that the match end.

A match ends early when all ask, so the bots' word alone ends nothing, but without it no person
at a table with bots could ask in earnest. Bots ask as long as somebody still does who began of
their own accord; that others have asked before is how one bot knows the other.
"""

from __future__ import annotations

from p2pcards.protocol import events


class Agreeing:
    """Whether a headless player asks for the end, deal by deal."""

    def __init__(self) -> None:
        self._askers: frozenset[int] = frozenset()
        self._before: frozenset[int] = frozenset()
        self._now: frozenset[int] = frozenset()

    def take(self, event: object) -> bool | None:
        """Follow the table; at the beginning of a deal, whether to ask with its score."""
        match event:
            case events.StopWished(seats):
                self._now = frozenset(seats)
            case events.DealBegun():
                self._askers = self._askers & self._now if self._before else self._now
                self._before, self._now = self._now, frozenset()
                return bool(self._askers)
        return None
