"""A saved game as one HTML page: nothing is fetched, and without JavaScript it is a plain list.

Every text passes through ``html.escape`` or, in the data for the script, has its ``<`` written as
an escape; the script makes text nodes only. The content security policy names the hashes of the
one style sheet and the one script, and allows nothing else.
"""

from __future__ import annotations

import base64
import hashlib
import json
from html import escape
from typing import Any

from p2pcards.cards import Card
from p2pcards.games.base import Sheet
from p2pcards.protocol import events
from p2pcards.ui import html_parts
from p2pcards.ui.cardtext import grouped
from p2pcards.ui.html_parts import SCRIPT, STYLE, card_span, cards_row, tag
from p2pcards.ui.i18n import _, language
from p2pcards.ui.replay import Reel, Stop


def page(reel: Reel, heading: list[str], is_good: bool) -> str:
    """The whole page; ``heading`` are lines on what is shown and what of it verified."""
    title = escape(f"{heading[0]} · p2pcards")
    body = [
        tag("h1", escape(heading[0])),
        _verified(reel, heading[1:], is_good),
        html_parts.curve(reel),
        _viewer(reel),
        *(_deal(reel, places) for places in reel.sections_of_stops()),
        tag("footer", escape(_("Made by p2pcards from the signed record of the game."))),
    ]
    return (
        f'<!DOCTYPE html>\n<html lang="{language()}">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{_policy()}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n'
        f"<title>{title}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<main>\n"
        + "\n".join(body)
        + f'\n</main>\n<script type="application/json" id="game">{_data(reel)}</script>\n'
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
    counts = _("{plays} plays opened by their owners' keys, {proofs} proofs that the rules allowed "
               "them; {decks} decks shuffled and signed by all four", plays=reel.plays,
               proofs=reel.proofs, decks=_decks(reel))  # fmt: skip
    items = "".join(tag("li", escape(line)) for line in [*lines, counts])
    return tag("section", tag("h2", escape(_("Verified"))) + tag("ul", items),
               "verified" if is_good else "verified broken")  # fmt: skip


def _decks(reel: Reel) -> int:
    return sum(1 for stop in reel.stops if stop.kind == "deck")


def _viewer(reel: Reel) -> str:
    """The table that the script fills; hidden without it."""
    labels = (
        ("first", "|◀", _("the beginning")),
        ("deal-", "◀◀", _("one deal back")),
        ("back", "◀", _("back")),
        ("on", "▶", _("on")),
        ("deal+", "▶▶", _("next deal")),
        ("last", "▶|", _("the end")),
        ("play", "▶ …", _("play by itself")),
    )
    buttons = "".join(
        f'<button type="button" data-go="{key}" title="{escape(text)}" '
        f'aria-label="{escape(text)}">{escape(sign)}</button>'
        for key, sign, text in labels
    )
    seats = "".join(f'<div class="seat" id="seat{n}"></div>' for n in range(4))
    return (
        f'<section id="viewer" hidden aria-label="{escape(_("The table"))}">'
        f'<div class="felt">{seats}<div id="middle"></div></div>'
        '<p id="said" aria-live="polite"></p>'
        f'<div class="buttons">{buttons}<input type="range" id="at" min="0" value="0" '
        f'aria-label="{escape(_("place in the game"))}"><span id="where"></span></div></section>'
    )


# -- a deal as a list -------------------------------------------------------------------------


def _deal(reel: Reel, places: list[int]) -> str:
    """One deal: who bid, the hands as the play made them known, the tricks, the score sheet."""
    stops = [reel.stops[at] for at in places]
    if not stops:
        return ""
    number = getattr(stops[0].event, "deal", 0)
    parts = [tag("p", escape(line)) for stop in stops for line in _before_play(stop)]
    parts += [_hands(reel, stops), _tricks(reel, stops)]
    for stop in stops:
        if isinstance(stop.event, events.DealScored):
            parts.append(_sheet(reel, stop.event.sheet))
        elif stop.kind in ("lost", "back", "fault", "end"):
            parts += [tag("p", escape(line), "note") for line in stop.lines]
    head = tag("summary", tag("h2", escape(_("Deal {n}", n=number))))
    return f'<details class="deal" open>{head}{"".join(parts)}</details>'


def _before_play(stop: Stop) -> tuple[str, ...]:
    return stop.lines if stop.kind in ("deal", "deck", "dealt", "bid", "shown", "holder") else ()


def _plays(stops: list[Stop]) -> list[events.CardPlayed]:
    return [stop.event for stop in stops if isinstance(stop.event, events.CardPlayed)]


def _hands(reel: Reel, stops: list[Stop]) -> str:
    """Each player's hand as it was played out; every card in it was proved by its play."""
    plays = _plays(stops)
    trump = stops[-1].table.state.trump if stops[-1].table.state else None
    rows = ""
    for seat in range(4):
        cards = grouped([p.card for p in plays if p.seat == seat], reel.game, trump)
        if cards:
            name = tag("th", escape(reel.speaker.who(seat)), scope="row")
            rows += tag("tr", name + tag("td", cards_row(cards)))
    if not rows:
        return ""
    caption = tag("caption", escape(_("The hands, as the play made them known")))
    return tag("table", caption + rows, "hands")


def _tricks(reel: Reel, stops: list[Stop]) -> str:
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
            rows += _trick_row(reel, stop, number, leader, cards)
            leader, cards = None, {}
    if cards:
        rows += _trick_row(reel, None, number + 1, leader, cards)
    if not rows:
        return ""
    names = "".join(tag("th", escape(reel.speaker.who(s)), scope="col") for s in range(4))
    head = tag("tr", tag("th", "", scope="col") + names + tag("th", escape(_("taken by"))))
    caption = escape(_("The tricks (underlined: led; framed: took the trick)"))
    return tag("table", tag("caption", caption) + head + rows, "tricks")


def _trick_row(
    reel: Reel, stop: Stop | None, number: int, leader: int | None,
    cards: dict[int, events.CardPlayed],
) -> str:  # fmt: skip
    state = stop.table.state if stop else None
    winner = state.tricks[-1].winner if state and state.tricks else None
    cells = ""
    for seat in range(4):
        play = cards.get(seat)
        mark = ("lead " if seat == leader else "") + ("won" if seat == winner else "")
        text = card_span(play.card) + (escape(" " + _("[bot]")) if play.by_bot else "") \
            if play else ""  # fmt: skip
        cells += tag("td", text, mark.strip())
    taker = escape(reel.speaker.who(winner)) if winner is not None else ""
    return tag("tr", tag("th", str(number), scope="row") + cells + tag("td", taker))


def _sheet(reel: Reel, sheet: Sheet) -> str:
    """The score sheet line by line."""
    speaker, rows = reel.speaker, ""
    heads = "".join(tag("th", escape(speaker.pair(t)), "number", scope="col") for t in (0, 1))
    for line in sheet.lines:
        points = line.points or ("", "")
        cells = "".join(tag("td", str(p), "number") for p in points)
        rows += tag("tr", tag("td", escape(speaker.sheet_line(line))) + cells)
    total = "".join(tag("td", str(s), "number") for s in sheet.scores)
    rows += tag("tr", tag("th", escape(_("Score")), scope="row") + total, "total")
    caption = tag("caption", escape(_("Score sheet of deal {n}", n=sheet.deal)))
    return tag("table", caption + tag("tr", tag("td", "") + heads) + rows, "sheet")


# -- the data for the script ------------------------------------------------------------------


def _data(reel: Reel) -> str:
    """What the script shows, as JSON that can stand inside a script element."""
    names = [reel.speaker.who(seat) for seat in range(4)]
    steps = [_step(reel, at) for at in range(len(reel.stops))]
    turns = getattr(reel.state.options, "direction", "cw") if reel.state else "cw"
    places = [0, 1, 2, 3] if turns == "cw" else [0, 3, 2, 1]
    text = json.dumps({"names": names, "places": places, "steps": steps}, ensure_ascii=False)
    return text.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e")


def _step(reel: Reel, at: int) -> dict[str, Any]:
    stop = reel.stops[at]
    state = stop.table.state
    step: dict[str, Any] = {"say": " ".join(stop.lines) if stop.kind != "score" else _scored(stop),
                            "new": stop.kind == "deal"}  # fmt: skip
    if state is None:
        return step
    trick = state.trick
    if stop.has_trick or (not trick.cards and state.tricks and stop.kind == "score"):
        trick = state.tricks[-1]
    hands = [_faces(grouped(reel.hand(at, s), reel.game, state.trump)) for s in range(4)]
    return {
        **step,
        "hands": hands,
        "sizes": list(state.hand_sizes),
        "trick": [[seat, *_face(card)] for seat, card in trick.by_seat()],
        "won": trick.winner,
        "score": f"{reel.speaker.pair(0)} {state.scores[0]} : {state.scores[1]} "
        f"{reel.speaker.pair(1)}",
        "trump": _("trump {sign}", sign=state.trump.symbol) if state.trump is not None else "",
    }


def _scored(stop: Stop) -> str:
    return _("the deal is scored") if stop.lines else ""


def _face(card: Card) -> tuple[str, str]:
    return html_parts.card_label(card), card.suit.letter


def _faces(cards: list[Card]) -> list[tuple[str, str]]:
    return [_face(card) for card in cards]
