"""The player: an observer plus one seat's secrets. It says what the seat owes, and makes it.

Every secret and every nonce comes from one 32-byte seed of the session, by labelled hashes, so
that a peer that restarts with its journal makes the same envelopes again.
"""

from __future__ import annotations

import hashlib
import hmac
from dataclasses import dataclass

from p2pcards.cards import Card
from p2pcards.crypto.keys import DealSecret, make_secret
from p2pcards.games.base import Action, Play, Seat, View
from p2pcards.protocol.answers import answer
from p2pcards.protocol.bidding import BidStage
from p2pcards.protocol.choosing import Question
from p2pcards.protocol.envelope import Payload, Signer, digest, seal
from p2pcards.protocol.messages import Body, Object, Roster, Vote, encode
from p2pcards.protocol.observer import Observer, Receipt
from p2pcards.protocol.playing import PlayStage
from p2pcards.protocol.senders import DRAWN_AT
from p2pcards.protocol.stage import Done


@dataclass(frozen=True, slots=True)
class Owed:
    """What this seat must send next; ``decides`` when somebody has to choose it."""

    step: int
    kind: str
    decides: bool


class Player:
    """One seat of a live table."""

    def __init__(self, roster: Roster, identity: bytes, sign: Signer, seed: bytes) -> None:
        """``identity`` is this peer's 32-byte key in the roster, ``seed`` 32 secret bytes.

        Raises:
            RosterError: no honest peer signs this roster.
            ValueError: the identity is not in it, or the seed is too short.
        """
        if len(seed) != 32:
            raise ValueError("the session seed has 32 bytes")
        self.observer = Observer(roster)
        places = [i for i, p in enumerate(roster.players) if p.identity == identity]
        if not places:
            raise ValueError("this identity is not in the roster")
        self.place = places[0]
        self.stop = False
        self.back: frozenset[int] = frozenset()
        self._identity = identity
        self._sign = sign
        self._seed = seed
        self._secrets: tuple[int, DealSecret] | None = None

    def __repr__(self) -> str:
        return f"<Player at place {self.place}, step {self.observer.step.number}>"

    # -- what this seat knows ------------------------------------------------------------------

    @property
    def seat(self) -> Seat:
        """This player's seat; before the draw, its place in the roster."""
        if self.observer.step.number < DRAWN_AT:
            return self.place
        return self.observer.table.places.index(self.place)

    @property
    def secret(self) -> DealSecret:
        """This seat's secrets for the deal in progress."""
        number = self.observer.table.the_deal().number
        if self._secrets is None or self._secrets[0] != number:
            entropy = self.entropy(b"deal secret", number.to_bytes(4, "big"))
            self._secrets = (number, make_secret(entropy))
        return self._secrets[1]

    def entropy(self, label: bytes, *fields: bytes) -> bytes:
        """64 secret bytes for one purpose."""
        info = digest(label, self.observer.session, *fields)
        return hmac.new(self._seed, info, hashlib.sha512).digest()

    def view(self) -> View:
        """The public state and this seat's own hand."""
        state = self.observer.table.the_state()
        return View(state, self.seat, frozenset(self.positions()))

    def positions(self) -> dict[Card, int]:
        """Each card in this seat's hand with its slot."""
        deal = self.observer.table.deal
        if deal is None or self.seat in self.observer.table.bots:
            return {}
        return deal.hand(self.seat, self.secret)

    def owed(self) -> Owed | None:
        """What this seat must send now, if anything."""
        observer = self.observer
        if isinstance(observer.stage, Done) or self.seat not in observer.waiting():
            return None
        return Owed(observer.step.number, observer.stage.kind, observer.stage.decides)

    # -- what this seat sends ------------------------------------------------------------------

    def make(self, choice: Action | None = None) -> bytes:
        """The signed envelope that this seat owes; it must be stored, then received, then sent.

        ``choice`` is the bid or play when the step lets somebody choose, or a Redeal to show a
        weak hand.

        Raises:
            IllegalActionError: the choice is against the rules; nothing was made.
            RuntimeError: this seat owes nothing.
        """
        stage = self.observer.stage
        if self.owed() is None or isinstance(stage, Done):
            raise RuntimeError("this seat owes no envelope now")
        return self._seal(stage.kind, answer(self, stage, choice))

    def choices(self) -> tuple[Action, ...]:
        """The bids or plays that the rules leave this seat now; empty when it has none to make."""
        stage, view = self.observer.stage, self.view()
        if self.owed() is None:
            return ()
        if isinstance(stage, BidStage):
            return stage.choices
        if isinstance(stage, PlayStage):
            game = self.observer.table.game
            return tuple(Play(self.seat, card) for card in game.legal(view.state, view.hand))
        return ()

    def question(self) -> Question:
        """What this seat has to decide now, with what it knows."""
        owed = self.owed()
        kind = owed.kind if owed else ""
        return Question(self.observer.table.game, self.view(), kind, self.choices())

    def vote(self, seat: Seat) -> bytes:
        """A vote to give a silent seat to the public bot, or the objection that it is not silent.

        Once a vote is received back, that seat's envelope for this step is only taken when
        somebody objects.

        Raises:
            RuntimeError: this seat may do neither now.
        """
        objection = self.objection(seat, self.observer.step.number)
        if objection is not None:
            return objection
        if not self.observer.can_vote(self.seat, seat):
            raise RuntimeError(f"this seat can not vote about seat {seat} now")
        return self._seal("vote", Vote(seat))

    def objection(self, seat: Seat, step: int) -> bytes | None:
        """The objection to a vote about a seat whose envelope of that step is here.

        The step may be over. None when there is nothing to show, or when this seat has voted or
        objected about that seat itself.
        """
        observer = self.observer
        held = observer.answered(seat, step)
        if held is None or observer.fault or self.seat in observer.table.bots:
            return None
        if not observer.can_object(self.seat, seat, step):
            return None
        wire, prev = held
        return self._sign_at(step, prev, "object", Object(seat, wire))

    def receive(self, wire: bytes) -> Receipt:
        """Take an envelope; this seat's own come this way too."""
        receipt = self.observer.receive(wire)
        if receipt is Receipt.ACCEPTED:
            self._lock_voted()
        return receipt

    def _lock_voted(self) -> None:
        for seat, ballot in self.observer.step.ballots.items():
            objected = any(about == seat for _, about in self.observer.step.objections)
            if self.seat in ballot and not objected:
                self.observer.step.locked.add(seat)

    def _seal(self, kind: str, body: Body) -> bytes:
        step = self.observer.step
        return self._sign_at(step.number, step.prev, kind, body)

    def _sign_at(self, step: int, prev: bytes, kind: str, body: Body) -> bytes:
        sender = self.place if step < DRAWN_AT else self.seat
        payload = Payload(self.observer.session, step, sender, prev, kind, encode(body))
        return seal(payload, self._sign)
