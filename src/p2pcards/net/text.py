"""Hostile text made safe to show: nicknames, chat, table names, reasons, TXT values."""

from __future__ import annotations

import unicodedata

NAME_LIMIT = 32
BOT_MARK = " (bot)"
"""What a bot that sits down with people has behind its name: a courtesy that proves nothing."""
REASON_LIMIT = 200

_MARKS_IN_A_ROW = 2
_SCAN_FACTOR = 8
_DROPPED = frozenset({"Cc", "Cf", "Cs", "Co", "Cn"})
_SPACES = frozenset({"Zs", "Zl", "Zp"})
_MARKS = frozenset({"Mn", "Mc", "Me"})
# Letters and marks that draw nothing, so two names could look alike and differ.
_INVISIBLE = frozenset(
    "\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0"
    + "".join(map(chr, (*range(0x180B, 0x1810), *range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0))))
)
# Small letters of the Cyrillic and the Greek alphabet, digits, and what they look like, small or
# as capitals (the confusables of Unicode's UTS 39 that a nickname is likely to have).
_TWINS = str.maketrans(
    "авеіјкмнһорсѕтуүхԁԛԝӏαβεζηικμνορτυχiı10|",
    "abeljkmhhopcstyyxdqwlabezhlkmvoptyxlllol",
)


def clean(text: str, limit: int, limit_bytes: int | None = None) -> str:
    """Return ``text`` as one harmless line.

    Control, bidirectional, zero-width and unassigned characters go; white space becomes single
    spaces; at most two combining marks stay on one letter. The result has at most ``limit``
    characters and ``limit_bytes`` bytes of UTF-8 (four a character unless given). Work is
    bounded by the limit, whatever the length of the input. The result may be empty.
    """
    kept = [_keep(char) for char in text[: limit * _SCAN_FACTOR]]
    line = " ".join("".join(kept).split())
    # Twice: taking a mark away can bring two characters together that compose.
    for _ in range(2):
        line = _thin(unicodedata.normalize("NFC", line))
    return cut(line[:limit], limit * 4 if limit_bytes is None else limit_bytes).strip()


def is_bot(name: str) -> bool:
    """Whether a name says that a bot bears it."""
    return name.endswith(BOT_MARK)


def likeness(name: str) -> str:
    """What is left of a name when case, width, spaces and all that is not seen are taken away.

    Letters of other alphabets count as the Latin ones that they look like. Of two players at one
    table no two may have the same: they could pass for each other.
    """
    seen = unicodedata.normalize("NFKC", clean(name, len(name))).casefold()
    return unicodedata.normalize("NFKC", "".join(seen.split())).translate(_TWINS)


def cut(text: str, limit_bytes: int) -> str:
    """Shorten ``text`` to ``limit_bytes`` bytes of UTF-8 without splitting a character."""
    return text.encode()[:limit_bytes].decode(errors="ignore")


def _keep(char: str) -> str:
    if char.isspace():
        return " "
    category = unicodedata.category(char)
    if category in _SPACES:
        return " "
    return "" if category in _DROPPED or char in _INVISIBLE else char


def _thin(text: str) -> str:
    kept: list[str] = []
    run = 0
    for char in text:
        run = run + 1 if unicodedata.category(char) in _MARKS else 0
        if run <= _MARKS_IN_A_ROW and not (run and (not kept or kept[-1] == " ")):
            kept.append(char)
    return "".join(kept)
