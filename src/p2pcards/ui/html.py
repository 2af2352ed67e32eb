"""A saved game as one HTML page: nothing is fetched, and without JavaScript it is a plain list.

Every text passes through ``html.escape`` or, in the data for the script, has its ``<`` written as
an escape; the script makes text nodes only. The content security policy names the hashes of the
one style sheet and the one script, and allows nothing else.
"""

from __future__ import annotations

import base64
import hashlib
from dataclasses import dataclass
from html import escape

from p2pcards.games.base import Sheet
from p2pcards.protocol import events
from p2pcards.ui import html_parts, sheets
from p2pcards.ui.cardtext import grouped
from p2pcards.ui.html_data import data_of
from p2pcards.ui.html_parts import card_span, cards_row, tag, unseen
from p2pcards.ui.html_script import SCRIPT, STYLE
from p2pcards.ui.i18n import _, language
from p2pcards.ui.replay import HIDDEN, Reel, Stop
from p2pcards.ui.replay_view import KEYS


@dataclass(frozen=True, slots=True)
class Shown:
    """What a page shows, and the seat from which it is seen."""

    reel: Reel
    seat: int = 0

    @property
    def seats(self) -> tuple[int, ...]:
        """The seats in the order of play, from the one below on."""
        return tuple((self.seat + i) % 4 for i in range(4))

    @property
    def sides(self) -> tuple[int, int]:
        """The teams, that of the seat below first."""
        return self.seat % 2, 1 - self.seat % 2


def page(reel: Reel, heading: list[str], is_good: bool, seat: int = 0) -> str:
    """The whole page; ``heading`` are lines on what is shown and what of it verified."""
    shown = Shown(reel, seat)
    title = escape(f"{heading[0]} · p2pcards")
    body = [
        tag("h1", escape(heading[0])),
        _verified(reel, heading[1:], is_good),
        html_parts.curve(reel, shown.sides),
        _viewer(),
        *(_deal(shown, places) for places in reel.sections_of_stops()),
        tag("footer", escape(_("Made by p2pcards from the signed record of the game."))),
    ]
    return (
        f'<!DOCTYPE html>\n<html lang="{language()}">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{_policy()}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n'
        f"<title>{title}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<main>\n"
        + "\n".join(body)
        + f'\n</main>\n<script type="application/json" id="game">{data_of(reel, seat)}</script>\n'
        f"<script>{SCRIPT}</script>\n</body>\n</html>\n"
    )


def _policy() -> str:
    def named(text: str) -> str:
        return "'sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() + "'"

    return (
        f"default-src 'none'; script-src {named(SCRIPT)}; style-src {named(STYLE)}; "
        "base-uri 'none'; form-action 'none'"
    )


def _verified(reel: Reel, lines: list[str], is_good: bool) -> str:
    """What was verified, and what of the proofs was checked."""
    decks = sum(1 for stop in reel.stops if stop.kind == "deck")
    counts = _("{plays} plays opened by their owners' keys, {proofs} proofs that the rules allowed "
               "them; {decks} decks shuffled and signed by everybody", plays=reel.plays,
               proofs=reel.proofs, decks=decks)  # fmt: skip
    items = "".join(tag("li", escape(line)) for line in [*lines, counts])
    title = _("Verified") if is_good else _("NOT verified")
    return tag("section", tag("h2", escape(title)) + tag("ul", items),
               "verified" if is_good else "verified broken")  # fmt: skip


def _viewer() -> str:
    """The table that the script fills; hidden without it."""
    seats = "".join(f'<div class="seat" id="seat{n}"></div>' for n in range(4))
    hints = "".join(
        tag("li", tag("kbd", escape(key)) + " " + escape(_(text)))
        for key, text in KEYS
        if key in ("← →", "PgUp PgDn", "Home End")
    )
    return (
        f'<section id="viewer" hidden tabindex="0" aria-label="{escape(_("The table"))}">'
        '<div class="strip"><span id="deal"></span><span id="trump"></span>'
        f'<span id="score"></span></div><div class="felt">{seats}<div id="middle"></div></div>'
        f'<p id="hidden" class="note" hidden>{escape(_(HIDDEN))}</p>'
        '<p id="said" aria-live="polite"></p>'
        f'<div class="buttons">{_buttons()}<input type="range" id="at" min="0" value="0" '
        f'aria-label="{escape(_("place in the game"))}"><span id="where"></span></div>'
        f'<ul class="hint">{hints}</ul></section>'
    )


def _buttons() -> str:
    """What moves through the game."""
    labels = (
        ("first", "|◀", _("the beginning")),
        ("deal-", "◀◀", _("one deal back")),
        ("back", "◀", _("back")),
        ("on", "▶", _("on")),
        ("deal+", "▶▶", _("next deal")),
        ("last", "▶|", _("the end")),
    )
    buttons = "".join(
        f'<button type="button" data-go="{key}" title="{escape(text)}" '
        f'aria-label="{escape(text)}">{escape(sign)}</button>'
        for key, sign, text in labels
    )
    by_itself = escape(_("play by itself"))
    return (
        f'{buttons}<button type="button" data-go="play" aria-pressed="false">{by_itself}</button>'
    )


# -- a deal as a list -------------------------------------------------------------------------


def _deal(shown: Shown, places: list[int]) -> str:
    """One deal: who bid, the hands as the play made them known, the tricks, the score sheet."""
    stops = [shown.reel.stops[at] for at in places]
    if not stops:
        return ""
    number = getattr(stops[0].event, "deal", 0)
    told = "".join(tag("li", escape(line)) for stop in stops for line in _before_play(stop))
    parts = [tag("ul", told, "told"), _hands(shown, stops), _tricks(shown, stops)]
    head = tag("h2", escape(_("Deal {n}", n=number)))
    for stop in stops:
        if isinstance(stop.event, events.DealScored):
            parts.append(_sheet(shown, stop.event.sheet))
            head += tag("span", escape(_added(shown, stop.event.sheet)))
        elif stop.kind in ("lost", "back", "fault", "end"):
            css = "bad" if stop.kind in ("lost", "fault") else ""
            parts += [tag("p", escape(line), css) for line in stop.lines]
    return f'<details class="deal" open>{tag("summary", head)}{"".join(parts)}</details>'


def _before_play(stop: Stop) -> tuple[str, ...]:
    return stop.lines if stop.kind in ("deal", "dealt", "bid", "shown", "holder") else ()


def _added(shown: Shown, sheet: Sheet) -> str:
    """What a deal brought each side."""
    pair = shown.reel.speaker.pair
    return " · ".join(f"{pair(side)} +{sheet.added[side]}" for side in shown.sides)


def _hands(shown: Shown, stops: list[Stop]) -> str:
    """Each player's hand as it was played out; every card in it was proved by its play."""
    reel = shown.reel
    plays = [stop.event for stop in stops if isinstance(stop.event, events.CardPlayed)]
    state = stops[-1].table.state
    trump = state.trump if state else None
    rows = ""
    for seat in shown.seats:
        cards = grouped([p.card for p in plays if p.seat == seat], reel.game, trump)
        if cards:
            name = tag("dt", escape(reel.speaker.who(seat)))
            rows += tag("div", name + tag("dd", cards_row(cards)))
    is_whole = reel.is_played_out(stops[0].section)
    was_dealt = any(stop.kind == "dealt" for stop in stops)
    note = tag("p", escape(_(HIDDEN)), "note") if was_dealt and not is_whole else ""
    if not rows:
        return note
    head = _("The hands, as the play made them known") if is_whole else _("The cards played")
    return tag("h3", escape(head)) + tag("dl", rows, "hands") + note


def _tricks(shown: Shown, stops: list[Stop]) -> str:
    """The tricks in order: a column for each player, the leader marked, the taker named."""
    rows, cards, number = "", {}, 0
    leader: int | None = None
    for stop in stops:
        if not isinstance(stop.event, events.CardPlayed):
            continue
        leader = stop.event.seat if leader is None else leader
        cards[stop.event.seat] = stop.event
        if stop.has_trick:
            number += 1
            rows += _trick_row(shown, stop, number, leader, cards)
            leader, cards = None, {}
    if cards:
        rows += _trick_row(shown, None, number + 1, leader, cards)
    if not rows:
        return ""
    who = shown.reel.speaker.who
    names = "".join(tag("th", escape(who(s)), scope="col") for s in shown.seats)
    taker = tag("th", escape(_("taken by")), "taker", "col")
    head = tag("thead", tag("tr", tag("th", unseen(_("trick")), scope="col") + names + taker))
    caption = escape(_("The tricks (underlined: led; framed: took the trick)"))
    return tag("table", tag("caption", caption) + head + tag("tbody", rows), "tricks")


def _trick_row(
    shown: Shown, stop: Stop | None, number: int, leader: int | None,
    cards: dict[int, events.CardPlayed],
) -> str:  # fmt: skip
    state = stop.table.state if stop else None
    winner = state.tricks[-1].winner if state and state.tricks else None
    cells = ""
    for seat in shown.seats:
        play = cards.get(seat)
        mark = ("lead " if seat == leader else "") + ("won" if seat == winner else "")
        text = ""
        if play:
            text = card_span(play.card) + (escape(" " + _("[bot]")) if play.by_bot else "")
            text += unseen(" " + _("led")) if seat == leader else ""
            text += unseen(" " + _("took the trick")) if seat == winner else ""
        cells += tag("td", text, mark.strip())
    taker = escape(shown.reel.speaker.who(winner)) if winner is not None else ""
    return tag("tr", tag("th", str(number), scope="row") + cells + tag("td", taker, "taker"))


def _sheet(shown: Shown, sheet: Sheet) -> str:
    """The score sheet line by line."""
    speaker, rows = shown.reel.speaker, ""
    heads = "".join(
        tag("th", escape(speaker.pair(side)), "number", scope="col") for side in shown.sides
    )
    for line in sheet.lines:
        points = line.points or ("", "")
        cells = "".join(tag("td", str(points[side]), "number") for side in shown.sides)
        rows += tag("tr", tag("td", escape(sheets.line_text(speaker, line))) + cells)
    total = "".join(tag("td", str(sheet.scores[side]), "number") for side in shown.sides)
    rows += tag("tr", tag("th", escape(_("Score")), scope="row") + total, "total")
    caption = tag("caption", escape(_("Score sheet of deal {n}", n=sheet.deal)))
    head = tag("thead", tag("tr", tag("td", "") + heads))
    return tag("table", caption + head + tag("tbody", rows), "sheet")
