"""A table for the screen's tests: real rules and random cards, told as a session tells them."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator

from p2pcards.cards import Card
from p2pcards.games.base import (
    Action,
    Announced,
    Dealt,
    DeckReady,
    Name,
    Pass,
    Phase,
    Play,
    State,
    Take,
)
from p2pcards.games.belota_cards import ROYALS
from p2pcards.games.registry import GAMES
from p2pcards.protocol import events
from p2pcards.protocol.choosing import Question
from p2pcards.ui import happenings as hap
from p2pcards.ui.screen import Screen
from tests.games.table import Table

NAMES = ("Ana", "Bogdan", "Dana", "Erzhan")
KINDS = ("key-commit", "key", "shuffle", "cut", "parts", "confirm")


class Scene:
    """One player's screen at a table that plays by itself; ``me`` is asked, too."""

    def __init__(self, game: str = "belota", seed: int = 1, me: int = 0, **options: str) -> None:
        self.game = GAMES[game]
        self.me = me
        state = self.game.start(self.game.parse_options(options), 3)
        self.table: Table[State] = Table(self.game, state, random.Random(seed))
        self.screen = Screen(place="table")
        self.tell(hap.Formed("Kitchen", NAMES, False))
        self.tell(hap.Seated(self.game, NAMES, me))
        self._steps = self._play()

    def tell(self, item: hap.Happening) -> list[str]:
        """Let the screen know of something."""
        return self.screen.table.take(item)

    def happened(self, event: events.Event, at: float = 0.0) -> None:
        """Tell of an event with what this seat knows now."""
        self.tell(hap.Happened(event, self.table.view(self.me), at))

    def until(self, reached: Callable[[Scene], bool]) -> Scene:
        """Play on to the first state that satisfies a condition."""
        while not reached(self):
            next(self._steps)
        return self

    def until_play(self, tricks: int = 0, cards: int = 0) -> Scene:
        """Play on until this seat is to play, with so many tricks taken and cards on the table."""

        def due(scene: Scene) -> bool:
            state = scene.table.state
            return (
                state.phase is Phase.PLAY and state.turn == scene.me
                and len(state.tricks) >= tricks and len(state.trick.cards) >= cards
            )  # fmt: skip

        self.until(due)
        self.screen.ask(self.question())
        return self

    def until_bid(self) -> Scene:
        """Play on until this seat is to bid."""
        self.until(lambda s: s.table.state.phase is Phase.BID and s.table.state.turn == s.me)
        self.screen.ask(self.question())
        return self

    def question(self) -> Question:
        """What this seat is asked now."""
        state, view = self.table.state, self.table.view(self.me)
        if state.phase is Phase.BID:
            return Question(self.game, view, "bid", self.game.bids(state))
        cards = self.game.legal(state, view.hand)
        return Question(self.game, view, "play", tuple(Play(self.me, card) for card in cards))

    def _play(self) -> Iterator[None]:
        self.happened(events.DealBegun(1, self.table.state.dealer))
        for before, action in self.table.steps():
            self._tell_step(before, action)
            yield

    def _tell_step(self, before: State, action: Action) -> None:
        state = self.table.state
        match action:
            case DeckReady():
                for i, kind in enumerate(KINDS):
                    for seat in range(4):
                        self.happened(events.Arrived(i, seat, kind, frozenset()), 0.1 * i)
                self.happened(events.DeckConfirmed(before.deal))
            case Dealt(turned):
                self.happened(events.PacketDealt(turned))
            case Pass() | Take() | Name():
                self.happened(events.BidMade(action))
            case Announced(holder):
                self.happened(events.HolderKnown(holder, self.game.announced_card()))
            case Play(seat, card):
                self.happened(events.CardPlayed(seat, card, 3))
                if not state.trick.cards:
                    last = state.tricks[-1]
                    trump = state.trump
                    assert trump is not None
                    assert last.winner is not None
                    points = sum(self.game.points(c, trump) for c in last.cards)
                    self.happened(events.TrickTaken(last.winner, last.cards, points))
        if len(state.sheets) > len(before.sheets):
            self.happened(events.DealScored(state.sheets[-1]))
        if state.deal > before.deal:
            self.happened(events.DealBegun(state.deal, state.dealer))


def royals(scene: Scene) -> list[Card]:
    """The king and queen of trump in this hand, if both are there."""
    trump = scene.table.state.trump
    held = [c for c in scene.table.view(0).hand if c.suit == trump and c.rank in ROYALS]
    return sorted(held) if len(held) == 2 else []


def with_belote(call: str) -> Scene:
    """A table at which this seat leads with the king and queen of trump in hand."""
    for seed in range(1, 400):
        scene = Scene(seed=seed, belote_call=call).until_play()
        if royals(scene) and not scene.table.state.trick.cards:
            return scene
    raise AssertionError("no such hand")
