"""Score sheets in words: as lines with both sides' points in columns, and in sentences."""

from __future__ import annotations

import re

from p2pcards.games.base import TEAM_NAMES, Sheet, SheetLine
from p2pcards.ui.canvas import pad, width_of, wrap
from p2pcards.ui.i18n import _
from p2pcards.ui.words import Speaker


def line_text(speaker: Speaker, line: SheetLine) -> str:
    """One line of a sheet, with the players' names for the teams."""
    values = {
        key: speaker.pair(TEAM_NAMES.index(value)) if value in TEAM_NAMES else value
        for key, value in line.values
    }
    text = re.sub(r"\b(NS|EW)\b", r"{\1}", _(line.template))
    return text.format(**values, NS=speaker.pair(0), EW=speaker.pair(1))


def scored(speaker: Speaker, sheet: Sheet) -> str:
    """What a deal has added, and the score after it, in one line; our own side first."""
    first, second = _order(speaker)
    (a, b), (c, d) = ((pair[first], pair[second]) for pair in (sheet.added, sheet.scores))
    return _("deal {n}: {a} to {b}; the score is {c}:{d}", n=sheet.deal, a=a, b=b, c=c, d=d)


def told(speaker: Speaker, sheet: Sheet) -> list[str]:
    """A score sheet in sentences, each with whose points it tells."""
    out = [_("Deal {n}", n=sheet.deal)]
    for line in sheet.lines:
        text = line_text(speaker, line)
        out.append(text if line.points is None else f"{text}: {_both(speaker, line.points)}")
    return [*out, f"{_('Score')}: {_both(speaker, sheet.scores)}"]


def _both(speaker: Speaker, points: tuple[int, int]) -> str:
    name = speaker.pair if speaker.me is None else speaker.side
    return ", ".join(f"{name(team)} {points[team]}" for team in _order(speaker))


def _order(speaker: Speaker) -> tuple[int, int]:
    """The teams, our own first."""
    first = speaker.me % 2 if speaker.me is not None else 0
    return first, 1 - first


def table(speaker: Speaker, sheet: Sheet, width: int = 72) -> list[str]:
    """A score sheet as lines, the points of both teams at the right."""
    first, second = order = _order(speaker)
    room = width - 18
    heads = f"  {speaker.side(first):>7} {speaker.side(second):>7}"
    if speaker.me is None:
        heads = f"  {speaker.pair(0)} : {speaker.pair(1)}"
    out = [pad(_("Deal {n}", n=sheet.deal), max(8, width - 1 - width_of(heads))) + heads]
    for line in sheet.lines:
        *above, last = wrap(line_text(speaker, line), room) or [""]
        out += above
        if line.points is None:
            out.append(last)
        else:
            one, two = (line.points[t] for t in order)
            out.append(f"{pad(last, room)}  {one:>7} {two:>7}")
    one, two = (sheet.scores[t] for t in order)
    out.append(f"{pad(_('Score'), room)}  {one:>7} {two:>7}")
    return out
