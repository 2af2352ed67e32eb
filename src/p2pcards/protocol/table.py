"""The public state of a session that the stages read, and that completed steps change."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from p2pcards.crypto.keys import DealSecret
from p2pcards.crypto.transcript import Context
from p2pcards.games.base import Action, State
from p2pcards.games.engine import Game
from p2pcards.games.options import OptionError
from p2pcards.games.registry import GAMES
from p2pcards.protocol.deal import Deal
from p2pcards.protocol.envelope import session_of
from p2pcards.protocol.limits import SEATS_ALL, VERSION
from p2pcards.protocol.messages import PlayerInfo, Roster, encode
from p2pcards.worded import Worded, text_of

_FIELD = 2**255 - 19
_ORDER_8 = int("7a03ac9277fdc74ec6cc392cfa53202a0f67100d760b3cba4fd84d3d706a17c7", 16)
_SMALL = frozenset({0, 1, _FIELD - 1, _ORDER_8, _FIELD - _ORDER_8})
"""The y of Ed25519's points of order 1, 2, 4 and 8: what such a key "signs", anybody can."""


class RosterError(ValueError):
    """A roster that no honest table would sign; the text says why."""


@dataclass(slots=True)
class Table:
    """Who plays what, where the match stands, and the deal in progress.

    ``players[seat]`` is that seat's player. Until the seats are drawn, a seat number is the
    place in the roster. ``bots`` are the lost seats that the public bot plays.
    """

    roster: Roster
    session: bytes
    game: Game[Any]
    players: tuple[PlayerInfo, PlayerInfo, PlayerInfo, PlayerInfo]
    places: tuple[int, int, int, int] = (0, 1, 2, 3)
    commitments: tuple[bytes, ...] = ()
    state: State | None = None
    deal: Deal | None = None
    deals_begun: int = 0
    bots: frozenset[int] = frozenset()

    @property
    def live(self) -> frozenset[int]:
        """The seats that a process plays."""
        return SEATS_ALL - self.bots

    def the_state(self) -> State:
        """The game's state; asking before the draw is our own bug."""
        if self.state is None:
            raise RuntimeError("the match has not begun yet")
        return self.state

    def the_deal(self) -> Deal:
        """The deal in progress; asking outside one is our own bug."""
        if self.deal is None:
            raise RuntimeError("no deal is in progress")
        return self.deal

    def apply(self, action: Action) -> State:
        """Move the game forward by an action that was checked."""
        self.state = self.game.apply(self.the_state(), action)
        return self.the_state()

    def context(self, step: int, seat: int, prev: bytes) -> Context:
        """The context that binds a proof to this session, deal, step, seat and history."""
        number = self.deal.number if self.deal else 0
        return Context(self.session, number, step, seat, prev)

    def copy(self) -> Table:
        """The table as it stands, to come back to."""
        return replace(self, deal=self.deal and self.deal.copy())

    def begin_deal(self, bot_secret: Callable[[int], DealSecret]) -> Deal:
        """Start a new deal; lost seats get the public secret that ``bot_secret`` derives."""
        self.deals_begun += 1
        self.deal = Deal(self.deals_begun, {s: bot_secret(s) for s in sorted(self.bots)})
        return self.deal


def check_roster(roster: Roster) -> Game[Any]:
    """The game of a roster that an honest peer may sign.

    Raises:
        RosterError: version, game, options or players are not as they must be.
    """
    if roster.terms.version != VERSION:
        raise RosterError(
            Worded(
                "the table speaks version {version}, this program {ours}",
                version=roster.terms.version,
                ours=VERSION,
            )
        )
    game: Game[Any] | None = GAMES.get(roster.terms.game)
    if game is None:
        raise RosterError(Worded("unknown game {game!r}", game=roster.terms.game))
    try:
        options = game.parse_options(dict(roster.terms.options))
    except OptionError as exc:
        raise RosterError(text_of(exc)) from None
    if options.items() != roster.terms.options:
        raise RosterError("the options are not all listed once, in order")
    if any(is_weak_key(p.identity) for p in roster.players):
        raise RosterError("a player's identity is a key under which anybody can sign")
    if len({p.identity for p in roster.players}) != 4:
        raise RosterError("two players have the same identity")
    if len({p.name for p in roster.players}) != 4:
        raise RosterError("two players have the same name")
    return game


def is_weak_key(identity: bytes) -> bool:
    """Whether this Ed25519 key is no proper one: of small order, or not in its one encoding."""
    y = int.from_bytes(identity, "little") & (2**255 - 1)
    return y >= _FIELD or y in _SMALL


def open_table(roster: Roster) -> Table:
    """A table before its first step; raises RosterError."""
    game = check_roster(roster)
    return Table(roster, session_of(encode(roster)), game, roster.players)
