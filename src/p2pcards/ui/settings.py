"""What a person has set once and for all: nickname, look, and habits; one small JSON file."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path
from typing import Annotated, Literal

import msgspec

from p2pcards.files import read_plain
from p2pcards.ui.i18n import N_

FILE = "settings.json"
_MAX_FILE = 65536


class Settings(msgspec.Struct, frozen=True, forbid_unknown_fields=False):
    """Everything that can be set, with its defaults.

    ``guard``: a card is played by a second press; ``auto``: the only legal card is played by
    itself; ``pace``: how long a finished trick lies (seconds).
    """

    nick: Annotated[str, msgspec.Meta(max_length=32)] = ""
    language: Literal["", "en", "ro", "ru", "kk"] = ""
    deck: Literal["two", "four"] = "two"
    felt: Literal["auto", "off"] = "auto"
    suits: Literal["auto", "letters"] = "auto"
    bell: bool = True
    guard: bool = True
    auto: bool = False
    pace: Literal["fast", "normal", "slow"] = "normal"


LABELS = {
    "nick": N_("nickname"),
    "language": N_("language"),
    "deck": N_("suit colours"),
    "felt": N_("green felt"),
    "suits": N_("suit signs"),
    "bell": N_("bell at your turn"),
    "guard": N_("a card is played by a second press"),
    "auto": N_("play the only legal card by itself"),
    "pace": N_("pace of tricks"),
}
VALUES: dict[str, tuple[object, ...]] = {
    "language": ("", "en", "ro", "ru", "kk"),
    "deck": ("two", "four"),
    "felt": ("auto", "off"),
    "suits": ("auto", "letters"),
    "bell": (True, False),
    "guard": (True, False),
    "auto": (False, True),
    "pace": ("fast", "normal", "slow"),
}
WORDS = {
    "two": N_("two"),
    "four": N_("four"),
    "auto": N_("automatic"),
    "off": N_("off"),
    "letters": N_("letters"),
    "fast": N_("fast"),
    "normal": N_("normal"),
    "slow": N_("slow"),
    "": N_("from the locale"),
}
TRICK_LIES = {"fast": 0.0, "normal": 1.5, "slow": 3.0}
"""Seconds that a finished trick lies before the next card."""
CARD_APART = {"fast": 0.0, "normal": 0.35, "slow": 0.9}
"""Seconds between two cards that come one right after the other, as bots play them."""


def load(folder: Path) -> Settings:
    """The settings kept in a folder; the defaults where there are none that can be read."""
    try:
        return msgspec.json.decode(read_plain(folder / FILE, _MAX_FILE), type=Settings)
    except (OSError, msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return Settings()


def save(folder: Path, settings: Settings) -> bool:
    """Keep the settings; False when they cannot be written."""
    path = folder / FILE
    part = path.with_suffix(f".{os.getpid()}.part")
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        part.write_bytes(msgspec.json.format(msgspec.json.encode(settings), indent=1))
        part.replace(path)
    except OSError:
        with contextlib.suppress(OSError):
            part.unlink()
        return False
    return True


def turned(settings: Settings, key: str, steps: int) -> Settings:
    """The settings with the next value (or one before) for a key that has a list of them."""
    values = VALUES[key]
    at = values.index(getattr(settings, key))
    changed: dict[str, object] = {key: values[(at + steps) % len(values)]}
    return msgspec.structs.replace(settings, **changed)


def with_nick(settings: Settings, nick: str) -> Settings:
    """The settings with another nickname."""
    return msgspec.structs.replace(settings, nick=nick)
