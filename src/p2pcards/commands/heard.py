"""What a session reports, as the happenings that the interface understands."""

from __future__ import annotations

import time

from p2pcards.games.base import View
from p2pcards.net import notices
from p2pcards.ui import happenings as hap


def heard(report: object, view: View | None = None) -> hap.Happening:
    """The happening that a notice or a verified event is, with what this seat knows after it."""
    match report:
        case notices.Linked(seat, up, reason):
            return hap.Linked(seat, up, reason)
        case notices.Recalled(past):
            return hap.Past(past, view)
        case notices.Waiting(seats, kind, _decides, elapsed, left):
            return hap.Waits(seats, kind, elapsed, left)
        case notices.ChatLine(seat, text):
            return hap.Said(seat, text)
        case notices.LobbyLine(name, text, is_mine):
            return hap.LobbySaid(name, text, is_mine)
        case notices.Parted(seat, reason):
            return hap.Left(seat, reason)
        case notices.BrokenUp(text):
            return hap.BrokenUp(text)
        case notices.Denied(text):
            return hap.Denied(text)
        case notices.Trouble(text):
            return hap.Trouble(text)
        case notices.Watched(seat, name, up):
            return hap.Watched(seat, name, up)
    return hap.Happened(report, view, time.monotonic())  # type: ignore[arg-type]
