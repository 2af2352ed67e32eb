"""The rules in words, made from the same option data and tables that the engines play by.

Each game gives its chapters; this module adds the chapter of options and lays them out.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from textwrap import fill
from typing import Protocol

from p2pcards.cards import Rank
from p2pcards.games.options import Choices, Numbers, Options

WIDTH = 78


@dataclass(frozen=True, slots=True)
class Chapter:
    """A heading and its paragraphs; a paragraph with line breaks of its own is kept as it is."""

    title: str
    paragraphs: tuple[str, ...]


class Described(Protocol):
    """What is needed of a game to write its rules."""

    @property
    def title(self) -> str:
        """The game's name as its players write it."""
        ...

    def chapters(self, options: Options) -> tuple[Chapter, ...]:
        """The rules as these options make them."""
        ...


def rules_text(game: Described, options: Options) -> str:
    """The rules of a game in plain English, as these options make them, for a terminal."""
    chapters = (*game.chapters(options), options_chapter(options))
    parts = [game.title + "\n" + "=" * len(game.title)]
    for chapter in chapters:
        body = [_paragraph(text) for text in chapter.paragraphs]
        heading = chapter.title + "\n" + "-" * len(chapter.title)
        parts.append("\n\n".join([heading, *body]))
    return "\n\n".join(parts) + "\n"


def options_chapter(options: Options) -> Chapter:
    """Every option with its value, what that means, and what else it could be."""
    changed = {key for key, _, _ in options.differences()}
    intro = "These are the options of this table. "
    if changed:
        intro += "Those marked with * differ from the defaults."
    else:
        intro += "All of them have their default values."
    entries = [_entry(options, key, key in changed) for key, _, _ in options.specs()]
    presets = [
        f"preset={name} stands for {' '.join(f'{key}={value}' for key, value in items.items())}."
        for name, items in options.presets.items()
    ]
    return Chapter("Options", (intro, *entries, *presets))


def rank_table(rows: Iterable[tuple[str, Iterable[tuple[Rank, int]]]]) -> str:
    """Lines of ranks, highest first, each with its points in brackets."""
    named = [
        (name, "  ".join(f"{rank.symbol} ({points})" for rank, points in ranks))
        for name, ranks in rows
    ]
    width = max(len(name) for name, _ in named)
    return "\n".join(f"  {name:<{width}}  {text}" for name, text in named)


def numbered(items: Iterable[str]) -> str:
    """A numbered list, one item under the other."""
    return "\n".join(
        fill(text, WIDTH, initial_indent=f"  {i}. ", subsequent_indent="     ")
        for i, text in enumerate(items, 1)
    )


def _entry(options: Options, key: str, changed: bool) -> str:
    spec, default = {name: (spec, text) for name, spec, text in options.specs()}[key]
    value = dict(options.items())[key]
    mark, note = ("*", f"  (default {default})") if changed else (" ", "")
    head = f"{mark} {key}={value}{note}"
    lines = [head, fill(spec.text, WIDTH, initial_indent="    ", subsequent_indent="    ")]
    match spec:
        case Choices():
            lines += [
                _indented(f"{name}: {meaning}", "  > " if name == value else "    ")
                for name, meaning in spec.meanings
            ]
        case Numbers():
            lines.append(_indented(f"The values are {spec.allowed()}."))
    return "\n".join(lines)


def _indented(text: str, lead: str = "    ") -> str:
    return fill(text, WIDTH, initial_indent=lead, subsequent_indent=" " * 6)


def _paragraph(text: str) -> str:
    return text if "\n" in text else fill(text, WIDTH)
