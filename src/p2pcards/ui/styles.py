"""The look: style classes, the felt where colours allow it, and suits in two or four colours."""

from __future__ import annotations

from functools import cache

from prompt_toolkit.output import ColorDepth
from prompt_toolkit.styles import Style

_COMMON = {
    "bar": "reverse",
    "bar.key": "reverse bold",
    "dim": "",
    "good": "ansigreen",
    "bad": "ansired bold",
    "warn": "ansiyellow bold",
    "key": "bold",
    "turn": "bold",
    "cursor": "reverse",
    "talk": "ansicyan",
    "title": "bold",
}
_SIXTEEN = {
    "dim": "ansibrightblack",
    "felt.dim": "ansibrightblack",
    "card": "",
    "edge.plain": "ansibrightblack",
    "edge.trump": "ansiyellow",
    "card.chosen": "bold",
    "card.off": "ansibrightblack",
    "card.off.edge": "ansibrightblack",
    "back": "ansiblue",
    "turn": "ansiyellow bold",
    "suit.c": "bold",
    "suit.d": "ansired bold",
    "suit.h": "ansired bold",
    "suit.s": "bold",
    "line": "ansibrightblack",
}
_FELT = {
    "felt": "bg:#12402f #d9e4dc",
    "felt.dim": "bg:#12402f #7fa393",
    "line": "bg:#12402f #3f7560",
    "turn": "bg:#12402f #ffd75f bold",
    "card": "bg:#f7f4ea #1c1c1c",
    "edge.plain": "#9a9484",
    "edge.trump": "#b07800",
    "card.chosen": "bg:#fff3b0 #1c1c1c bold",
    "card.off": "bg:#5f7d70 #24382f",
    "card.off.edge": "bg:#5f7d70 #446155",
    "back": "bg:#7c2230 #c98a92",
    "suit.c": "#1c1c1c bold",
    "suit.d": "#c01823 bold",
    "suit.h": "#c01823 bold",
    "suit.s": "#1c1c1c bold",
    "good": "#8fdc9a",
    "bad": "#ff8f80 bold",
    "warn": "#ffd75f bold",
    "talk": "#9fd8ff",
    "dim": "#7fa393",
    "bar": "bg:#0a2a1f #e8efe9",
    "bar.key": "bg:#0a2a1f #ffd75f bold",
    "key": "#ffd75f bold",
}
_FOUR = {"suit.c": "ansigreen bold", "suit.d": "ansiblue bold"}
_FOUR_FELT = {"suit.c": "#12702c bold", "suit.d": "#1c4fb8 bold"}


def has_felt(depth: ColorDepth, felt: str) -> bool:
    """Whether the table is drawn on felt: with 256 colours or more, unless it is turned off."""
    return felt != "off" and depth in (ColorDepth.DEPTH_8_BIT, ColorDepth.DEPTH_24_BIT)


@cache
def style(depth: ColorDepth, deck: str = "two", felt: str = "auto") -> Style:
    """The style for a terminal's colours, in two or four suit colours.

    Without colours every mark that matters is a sign too: numbers under legal cards, brackets
    around what is selected, frames of trumps. One and the same object for the same arguments:
    prompt_toolkit asks for it many times a redraw, and works everything out anew for another.
    """
    on_felt = has_felt(depth, felt)
    rules = {**_COMMON, **_SIXTEEN, **(_FELT if on_felt else {})}
    if deck == "four":
        rules |= _FOUR_FELT if on_felt else _FOUR
    if depth is ColorDepth.DEPTH_1_BIT:
        rules |= {"card.chosen": "bold", "suit.d": "bold", "suit.h": "bold"}
    return Style(list(rules.items()))
