"""The rules of a table: which they are, and how they are shown at any width."""

from __future__ import annotations

import re
from typing import Any

from p2pcards.games.engine import Game
from p2pcards.games.options import Options
from p2pcards.games.registry import GAMES
from p2pcards.games.rulestext import WIDTH, options_chapter, rules_text
from p2pcards.ui import optionwords
from p2pcards.ui.canvas import Text, width_of, wrap
from p2pcards.ui.i18n import _
from p2pcards.ui.model import Table
from p2pcards.ui.screen import Screen


def rules_of(table: Table) -> tuple[Game[Any], Options] | None:
    """The game and the options of a table that plays or gathers."""
    state, lobby = table.state, table.gathering
    if state is not None and table.game is not None:
        return table.game, state.options
    if lobby is not None and lobby.game in GAMES:
        changed = {key: value for key, value, _default in lobby.changed}
        return GAMES[lobby.game], GAMES[lobby.game].parse_options(changed)
    return None


def rules_page(screen: Screen, width: int) -> tuple[str, Text]:
    """The rules of the table one is at, or of the game chosen in the form."""
    found = rules_of(screen.table) if screen.place in ("table", "lobby") else None
    if found is None:
        chosen = GAMES[screen.form.game]
        found = chosen, chosen.parse_options(screen.form.options)
    game, options = found
    out: Text = []
    for chapter in (*game.chapters(options, _), options_chapter(options, _, optionwords.IN_WORDS)):
        out += [(chapter.title, "class:turn"), ("", "")]
        for paragraph in chapter.paragraphs:
            out += [(line, "") for line in _rewrapped(paragraph, width)] + [("", "")]
    return _("The rules of {game}", game=game.title), out[:-1]


def rules_in(columns: int, game: Game[Any], options: Options) -> str:
    """The rules to be read line by line in so many columns; 0 where nobody knows how many."""
    if not 0 < columns < WIDTH:
        return rules_text(game, options, _)
    return rules_text(game, options, _, lambda text: "\n".join(_rewrapped(text, columns)))


def _rewrapped(paragraph: str, width: int) -> list[str]:
    """A paragraph of the rules for this width; lists and tables keep their lines and indents."""
    if "\n" not in paragraph:
        return wrap(paragraph, width)
    out: list[str] = []
    for line, hang in _unwrapped(paragraph.split("\n")):
        if width_of(line) <= width:
            out.append(line)
            continue
        indent = min(_indent(line), width // 2)
        # Inside a row of a table the spaces between its columns must stay.
        if "  " in line.strip() and hang < width // 2:
            first, *rest = _cells(line[hang:], width - hang)
            out.append(line[:hang] + first)
        else:
            hang = min(hang, width // 2)
            first, *rest = wrap(line[indent:], width - max(indent, hang))
            out.append(" " * indent + first)
        out += [" " * hang + piece for piece in rest]
    return out


def _cells(text: str, room: int) -> list[str]:
    """The cells of a row in as many lines as they need; a rank stays with its points."""
    out: list[str] = []
    for cell in text.split("  "):
        if out and width_of(f"{out[-1]}  {cell}") <= room:
            out[-1] += f"  {cell}"
        else:
            out += wrap(cell, room)
    return out


def _unwrapped(lines: list[str]) -> list[tuple[str, int]]:
    """Lines as they were before they were broken for a wide page, and the indent of what follows.

    A line goes on in the next one if the first word there had no room in it any more.
    """
    out: list[tuple[str, int]] = []
    last = 0
    for line in lines:
        words = line.split()
        deeper = _indent(line) - _indent(out[-1][0]) if out else -1
        is_item = _ITEM.match(line) or "  " in line.strip()
        goes_on = deeper > 0 or (deeper == 0 and _indent(line) and not is_item)
        if words and goes_on and last + 1 + len(words[0]) > WIDTH:
            out[-1] = (f"{out[-1][0]} {line.strip()}", _indent(line))
        else:
            out.append((line, _hang(line)))
        last = len(line)
    return out


def _hang(line: str) -> int:
    """Where a line goes on: below its second column, or a little to the right in a list."""
    _name, gap, text = line.strip().partition("  ")
    if gap:
        return len(line) - len(text.lstrip())
    item = _ITEM.match(line)
    if item is None:
        return _indent(line)
    return item.end() if item["number"] else item.end("lead") + 2


_ITEM = re.compile(r"(?P<lead> *(?:> )?)((?P<number>\d+\.)|[^.:]{1,40}:) ")
"""How the items of a list begin: with a number, or with a name and a colon, the chosen one at >."""


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())
