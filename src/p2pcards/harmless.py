"""Text from anywhere, on its way to a terminal."""

from __future__ import annotations

_KEPT = "\u00a0"
"""A space that does not break: Python calls it unprintable, and translations use it."""


def harmless(text: str, kept: str = "") -> str:
    """The text without what a terminal would obey: names of files and players may hold anything.

    ``kept`` are further characters that stay, such as line breaks.
    """
    if text.isprintable():
        return text
    stays = _KEPT + kept
    return "".join(c if c.isprintable() or c in stays else "\N{REPLACEMENT CHARACTER}"
                   for c in text)  # fmt: skip
