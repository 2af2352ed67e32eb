"""The rules in words, made from the same option data and tables that the engines play by.

Each game gives its chapters; this module adds the chapter of options and lays them out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from textwrap import fill
from typing import Protocol

from p2pcards.cards import Rank
from p2pcards.games.options import Choices, Numbers, Options

WIDTH = 78


class Translate(Protocol):
    """Puts an English template into another language and fills its placeholders in."""

    def __call__(self, message: str, /, **values: object) -> str:
        """The text in words."""
        ...


def english(message: str, /, **values: object) -> str:
    """The template as it is, filled in: what :class:`Translate` is for English."""
    return message.format(**values) if values else message


@dataclass(frozen=True, slots=True)
class Chapter:
    """A heading and its paragraphs; a paragraph with line breaks of its own is kept as it is."""

    title: str
    paragraphs: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Naming:
    """How options are named: an option with its value, and a value alone."""

    both: Callable[[str, str], str]
    value: Callable[[str, str], str]


AS_TYPED = Naming(lambda key, value: f"{key}={value}", lambda key, value: value)
"""Options as a person types them."""


class Described(Protocol):
    """What is needed of a game to write its rules."""

    @property
    def title(self) -> str:
        """The game's name as its players write it."""
        ...

    def chapters(self, options: Options, t: Translate = english) -> tuple[Chapter, ...]:
        """The rules as these options make them."""
        ...


def rules_text(
    game: Described, options: Options, t: Translate = english,
    lay_out: Callable[[str], str] | None = None,
) -> str:  # fmt: skip
    """The rules of a game in plain words, as these options make them.

    ``lay_out`` breaks a paragraph into lines; without it they are as wide as most terminals.
    """
    chapters = (*game.chapters(options, t), options_chapter(options, t))
    parts = [game.title + "\n" + "=" * len(game.title)]
    for chapter in chapters:
        body = [(lay_out or _paragraph)(text) for text in chapter.paragraphs]
        heading = chapter.title + "\n" + "-" * len(chapter.title)
        parts.append("\n\n".join([heading, *body]))
    return "\n\n".join(parts) + "\n"


def options_chapter(options: Options, t: Translate = english, naming: Naming = AS_TYPED) -> Chapter:
    """Every option with its value, what that means, and what else it could be."""
    changed = {key for key, _, _ in options.differences()}
    intro = t("These are the options of this table.")
    if changed:
        intro += " " + t("Those marked with * differ from the defaults.")
    else:
        intro += " " + t("All of them have their default values.")
    entries = [_entry(options, key, key in changed, t, naming) for key, _, _ in options.specs()]
    presets = _presets(options, t) if naming is AS_TYPED else []
    return Chapter(t("Options"), (intro, *entries, *presets))


def _presets(options: Options, t: Translate) -> list[str]:
    return [
        t(
            "preset={name} stands for {items}.",
            name=name,
            items=" ".join(f"{key}={value}" for key, value in items.items()),
        )
        for name, items in options.presets.items()
    ]


def rank_row(ranks: Iterable[tuple[Rank, int]], t: Translate = english) -> str:
    """Ranks, highest first, each with its points in brackets."""
    return "  ".join(f"{rank_letter(rank, t)} ({points})" for rank, points in ranks)


def rank_letter(rank: Rank, t: Translate = english) -> str:
    """What is printed on the card; letters are translated as the message ``rank J`` and so on."""
    return t(f"rank {rank.symbol}").rpartition(" ")[2] if rank.symbol.isalpha() else rank.symbol


def table(named: Sequence[tuple[str, str]]) -> str:
    """Lines that begin with a name, the texts below each other."""
    width = max(len(name) for name, _ in named)
    return "\n".join(f"  {name:<{width}}  {text}" for name, text in named)


def numbered(items: Iterable[str]) -> str:
    """A numbered list, one item under the other."""
    return "\n".join(
        fill(text, WIDTH, initial_indent=f"  {i}. ", subsequent_indent="     ")
        for i, text in enumerate(items, 1)
    )


def _entry(options: Options, key: str, changed: bool, t: Translate, naming: Naming) -> str:
    spec, default = {name: (spec, text) for name, spec, text in options.specs()}[key]
    value = dict(options.items())[key]
    mark, note = (
        ("*", "  " + t("(default {value})", value=naming.value(key, default)))
        if changed
        else (" ", "")
    )
    head = f"{mark} {naming.both(key, value)}{note}"
    lines = [head, fill(t(spec.text), WIDTH, initial_indent="    ", subsequent_indent="    ")]
    match spec:
        case Choices():
            lines += [
                _indented(
                    f"{naming.value(key, name)}: {t(meaning)}", "  > " if name == value else "    "
                )
                for name, meaning in spec.meanings
            ]
        case Numbers():
            lines.append(_indented(t("The values are {values}.", values=allowed(spec, t))))
    return "\n".join(lines)


def allowed(spec: Numbers, t: Translate = english) -> str:
    """The values of an option that is a number, in words."""
    if spec.only:
        return spec.allowed()
    return t("{least} to {most}", least=spec.least, most=spec.most)


def _indented(text: str, lead: str = "    ") -> str:
    return fill(text, WIDTH, initial_indent=lead, subsequent_indent=" " * 6)


def _paragraph(text: str) -> str:
    return text if "\n" in text else fill(text, WIDTH)
