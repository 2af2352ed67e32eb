"""Rule options in words: what a person reads where no key is to be typed.

The games write what an option means in sentences (:mod:`p2pcards.games.options`); here are the
few words of each name and value that fit a row of a form or a line of the lobby.
"""

from __future__ import annotations

from p2pcards.games.rulestext import Naming
from p2pcards.ui.i18n import N_, _

NAMES = {
    # both games
    "direction": N_("direction of play"),
    "target": N_("a game is played to"),
    "games": N_("games of the match"),
    # Belotă
    "all_pass": N_("all pass: next dealer"),
    "undertrump": N_("trump under a foe's"),
    "partner_trump": N_("trump on a partner's"),
    "belote_counts": N_("belote in comparison"),
    "belote_call": N_("calling the belote"),
    "litige": N_("equal points"),
    "litige_belote": N_("belote at equal points"),
    "rounding": N_("rounding"),
    # Belka
    "lead": N_("first lead of a deal"),
    "suits": N_("suits of the players"),
    "announce_first": N_("J♣ in the first deal"),
    "first_deal": N_("first deal"),
    "jack_eye": N_("an eye for beating J♣"),
    "save": N_("points that save"),
    "eggs": N_("deal after eggs"),
    "eggs_jack": N_("J♣ after eggs"),
    "eggs_again": N_("eggs again"),
    "naked_by": N_("a side is naked"),
    "naked": N_("naked losers"),
    "ace_discard": N_("discarding an ace"),
    "redeal": N_("new deal if weak"),
}
VALUES = {
    "direction": {"cw": N_("clockwise"), "ccw": N_("counter-clockwise")},
    "all_pass": {"next": N_("the next player"), "same": N_("the same player")},
    "undertrump": {"may": N_("allowed"), "must": N_("required")},
    "partner_trump": {"free": N_("any"), "higher": N_("only higher")},
    "belote_counts": {"yes": N_("counts"), "no": N_("added afterwards")},
    "belote_call": {"auto": N_("not needed"), "manual": N_("required")},
    "litige": {
        "held": N_("takers' held"),
        "held_all": N_("all held"),
        "inside": N_("takers lose"),
        "made": N_("takers win"),
    },
    "litige_belote": {"held": N_("held as well"), "kept": N_("scored at once")},
    "rounding": {"none": N_("none"), "ten": N_("to tens")},
    "lead": {
        "next": N_("after the dealer"),
        "previous": N_("before the dealer"),
        "jack": N_("who holds J♣"),
    },
    "suits": {"fixed": N_("stay"), "rolling": N_("anew each deal")},
    "announce_first": {"no": N_("hidden"), "yes": N_("announced")},
    "first_deal": {"normal": N_("as any other"), "two": N_("two eyes")},
    "jack_eye": {"on": N_("yes"), "off": N_("no")},
    "eggs": {
        "four": N_("four eyes"),
        "title": N_("only the title"),
        "double": N_("counts twice"),
        "plus_two": N_("two eyes more"),
    },
    "eggs_jack": {"off": N_("does not count"), "on": N_("counts")},
    "eggs_again": {"keep": N_("change nothing"), "add": N_("add as much")},
    "naked_by": {"tricks": N_("without a trick"), "points": N_("without points")},
    "naked": {"game": N_("lose the game"), "four": N_("four eyes")},
    "ace_discard": {"free": N_("allowed"), "held": N_("after its suit was led")},
    "redeal": {"off": N_("no"), "weak": N_("yes")},
}
"""The values that have names; the others are numbers."""


def name_of(key: str) -> str:
    """An option's name in a few words."""
    return _(NAMES.get(key, key))


def value_of(key: str, value: str) -> str:
    """A value of an option in a few words."""
    return _(VALUES.get(key, {}).get(value, value))


def both(key: str, value: str) -> str:
    """An option and its value."""
    return f"{name_of(key)}: {value_of(key, value)}"


IN_WORDS = Naming(both, value_of)
"""For the rules at a table, where nothing is typed."""


def change(key: str, value: str, default: str) -> str:
    """An option that differs, its value here, and the one that is usual."""
    return _("{option} (usually {default})", option=both(key, value),
             default=value_of(key, default))  # fmt: skip
