"""The rule options of Belotă: the only place where they and their meanings are written."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from p2pcards.games.options import Options, choice, number


@dataclass(frozen=True, slots=True)
class BelotaOptions(Options):
    """What a table of Belotă may agree on; the preset ``common`` is how most people play."""

    presets: ClassVar[Mapping[str, Mapping[str, str]]] = {"common": {"undertrump": "must"}}

    direction: str = choice(
        "cw",
        "The direction in which cards are dealt and played.",
        cw="Play runs clockwise: the next player sits on one's left.",
        ccw="Play runs counter-clockwise: the next player sits on one's right.",
    )
    all_pass: str = choice(
        "next",
        "Who deals again after everybody has passed twice.",
        next="The next player deals.",
        same="The same player deals again.",
    )
    undertrump: str = choice(
        "may",
        "What is due when an opponent's trump holds the trick and cannot be beaten by a player "
        "who cannot follow suit.",
        may="Any card may be played; a lower trump is permitted, not required.",
        must="A lower trump must be played, if there is one.",
    )
    partner_trump: str = choice(
        "free",
        "What may be played by a player who cannot follow suit while the partner's trump holds "
        "the trick.",
        free="Any card, a trump below the partner's included.",
        higher="Any plain card, or a trump above the partner's; a lower trump only when there is "
        "nothing else.",
    )
    belote_counts: str = choice(
        "yes",
        "Whether the belote counts when the takers' points are compared with the defenders'.",
        yes="The belote counts in the comparison.",
        no="Only trick points are compared; the belote is added afterwards.",
    )
    belote_call: str = choice(
        "auto",
        "Whether the belote must be called.",
        auto="It counts without a call.",
        manual="It counts only if it was called with the first of the two cards and again with "
        "the second.",
    )
    litige: str = choice(
        "held",
        "What a tie between takers and defenders means.",
        held="The defenders score their points; the takers' points are held in the pot.",
        held_all="Neither side scores its trick points; all of them are held in the pot. A belote "
        "stays with its side.",
        inside="The takers have lost, as if they had fewer points.",
        made="The takers have won, as if they had more points.",
    )
    litige_belote: str = choice(
        "held",
        "What becomes of a belote of the takers' when a tie puts their points in the pot "
        "and the belote counts in the comparison; otherwise they always keep it.",
        held="It is held with their other points.",
        kept="They score it at once; only their trick points are held.",
    )
    target: int = number(
        1000,
        "The points that end a game.",
        100,
        3000,
    )
    rounding: str = choice(
        "none",
        "Whether scores are rounded.",
        none="Scores are not rounded.",
        ten="What each side scores in a deal, its part of the pot included, is rounded to the "
        "nearest ten, 5 upward; the comparison of takers and defenders and the pot stay exact.",
    )
    games: int = number(
        1,
        "The games of a series; the team that first wins more than half of them wins the match.",
        1,
        9,
        only=(1, 3, 5, 7, 9),
    )
