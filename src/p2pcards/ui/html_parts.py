"""The parts of the page of a saved game: tags, cards, and the course of the match."""

from __future__ import annotations

from html import escape

from p2pcards.cards import Card
from p2pcards.ui.cardtext import rank_text, suit_name
from p2pcards.ui.i18n import _
from p2pcards.ui.replay import Reel


def tag(name: str, inner: str, css: str = "", scope: str = "") -> str:
    """An element around what is HTML already; ``css`` its classes, ``scope`` that of a head."""
    more = (f' class="{css}"' if css else "") + (f' scope="{scope}"' if scope else "")
    return f"<{name}{more}>{inner}</{name}>"


def card_label(card: Card) -> str:
    """A card's rank and suit sign."""
    return f"{rank_text(card.rank)}{card.suit.symbol}"


def card_span(card: Card) -> str:
    """A card face up; who cannot see the sign is told the suit."""
    said = escape(f"{rank_text(card.rank)} {suit_name(card.suit)}")
    label = f'role="img" aria-label="{said}"'
    return f'<span class="card {card.suit.letter}" {label}>{escape(card_label(card))}</span>'


def cards_row(cards: list[Card]) -> str:
    """Cards side by side."""
    return " ".join(card_span(card) for card in cards)


def unseen(text: str) -> str:
    """A text for who has the page read out, and sees no frames and underlines."""
    return tag("span", escape(text), "unseen")


def curve(reel: Reel, sides: tuple[int, int]) -> str:
    """The course of the match: both sides' scores over the deals, as inline SVG and in words.

    ``sides`` are the teams in the order in which they are named.
    """
    sheets = reel.sheets
    if not sheets:
        return ""
    head = tag("h2", escape(_("The course of the match")))
    legend = "".join(
        tag("li", tag("b", str(sheets[-1].scores[team])) + " " + escape(reel.speaker.pair(team)),
            f"side{place}")
        for place, team in enumerate(sides)
    )  # fmt: skip
    words = "; ".join(
        _("after deal {n}: {one} to {two}", n=s.deal, one=s.scores[sides[0]],
          two=s.scores[sides[1]])
        for s in sheets
    )  # fmt: skip
    scores = [(0, 0), *((s.scores[sides[0]], s.scores[sides[1]]) for s in sheets)]
    return tag("section", head + tag("ul", legend, "legend") + _svg(scores, words), "curve")


WIDTH, HEIGHT, LEFT, BASE = 640, 220, 54, 190


def _svg(scores: list[tuple[int, int]], words: str) -> str:
    """A line for each side, with the numbers of the deals below and of the scores at the left."""
    top = max(1, max(max(pair) for pair in scores))
    low = min(0, min(min(pair) for pair in scores))
    step = (WIDTH - LEFT - 12) / (len(scores) - 1)

    def y(score: int) -> float:
        return BASE - (score - low) * (BASE - 14) / (top - low)

    out = ""
    for value in sorted({low, 0, (top + low) // 2, top}):
        at_y = f'y1="{y(value):.1f}" y2="{y(value):.1f}"'
        out += f'<line class="grid" x1="{LEFT}" x2="{WIDTH - 12}" {at_y}/>'
        out += f'<text class="y" x="{LEFT - 6}" y="{y(value) + 4:.1f}">{value}</text>'
    every = max(1, len(scores) // 12)
    for i in range(0, len(scores), every):
        out += f'<text class="x" x="{LEFT + i * step:.1f}" y="{BASE + 20}">{i}</text>'
    for team in (0, 1):
        at = [(LEFT + i * step, y(pair[team])) for i, pair in enumerate(scores)]
        points = " ".join(f"{px:.1f},{py:.1f}" for px, py in at)
        out += f'<polyline class="side{team}" points="{points}"/>'
        shape = "circle" if team == 0 else "rect"
        out += "".join(_mark(shape, team, px, py) for px, py in at[1:])
    return (
        f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{escape(words)}">'
        f"<title>{escape(words)}</title>{out}</svg>"
    )


def _mark(shape: str, team: int, x: float, y: float) -> str:
    if shape == "circle":
        return f'<circle class="side{team}" cx="{x:.1f}" cy="{y:.1f}" r="4"/>'
    return f'<rect class="side{team}" x="{x - 3.5:.1f}" y="{y - 3.5:.1f}" width="7" height="7"/>'
