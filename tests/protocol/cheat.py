"""A table with a cheat: three honest peers, and one whose every message a test can shape.

The honest peers do what a live session does with what they see: they show evidence, compare
histories, object to votes, and give each other what is missing. What the cheat sends can be
altered, withheld, doubled, delayed, reordered, or be different for each of the others.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, TypeAlias

import msgspec

from p2pcards.cards import Card
from p2pcards.crypto.deck import Masked
from p2pcards.crypto.group import Point
from p2pcards.crypto.keys import DealKey
from p2pcards.crypto.transcript import Context
from p2pcards.games.base import Play
from p2pcards.games.belota_state import BelotaState
from p2pcards.protocol.envelope import Envelope, Payload, body_of, seal, unseal
from p2pcards.protocol.events import Diverged, Event, Unheard, VoteCast
from p2pcards.protocol.evidence import check_evidence, make_evidence
from p2pcards.protocol.faults import NOT_PROVABLE, Fault, FaultKind
from p2pcards.protocol.messages import Body, Roster, encode
from p2pcards.protocol.observer import Observer, Receipt
from p2pcards.protocol.player import Player
from p2pcards.protocol.stage import Stage
from tests.protocol.matches import SHORT, finished, record
from tests.protocol.room import ONE_DEAL, Room, first_choice, identity_key, make_roster

Sent: TypeAlias = Mapping[int, Sequence[bytes]]
"""What each of the others is sent in place of an envelope."""
Deed: TypeAlias = "Callable[[Den, bytes], Sent]"

MOVES = 4000
"""Deliveries after which a table is said to hang; a short match takes about 600."""


STRIDE = 6
"""Steps between two points at which an honest match is kept to start attacks from."""


class NotCaught(AssertionError):
    """The honest peers did not do about the attack what they must."""


class Den(Room):
    """Four players, of whom the one at place ``cheat`` sends what the test wants."""

    def __init__(self, cheat: int, roster: Roster | None = None, seed: str = ONE_DEAL) -> None:
        super().__init__(roster or make_roster(options=SHORT), seed=seed)
        self.cheat = cheat
        self.hold: int | None = None
        self.halt: int | None = None
        self.deeds: dict[int, Deed] = {}
        self.blocked: set[tuple[int, int]] = set()
        self._signed: list[tuple[int, bytes]] = []
        self.moves = 0
        self._given: set[tuple[int, int, bytes]] = set()
        self._compared: set[tuple[int, int, int]] = set()

    # -- who is who ----------------------------------------------------------------------------

    @property
    def honest(self) -> list[int]:
        """The places of the others, as long as they are there."""
        return [place for place in range(4) if place != self.cheat and place not in self.dead]

    @property
    def signed(self) -> list[tuple[int, bytes]]:
        """Every envelope that an honest peer made, with its place."""
        return [(place, wire) for place, wire in self._signed if place != self.cheat]

    @property
    def liar(self) -> Player:
        """The cheat's own player, which follows the game and has its secrets."""
        return self.players[self.cheat]

    def observer(self, place: int) -> Observer:
        """What one player has verified."""
        return self.players[place].observer

    # -- what the cheat sends ------------------------------------------------------------------

    def sign(self, payload: Payload) -> bytes:
        """An envelope under the cheat's signature, whatever is in it."""
        return seal(payload, identity_key(self.roster.players[self.cheat].name).sign)

    def envelope(self, kind: str, body: Body | bytes, **changes: Any) -> bytes:
        """An envelope of the cheat's for the step in progress; ``changes`` are payload fields."""
        step = self.liar.observer.step
        data = body if isinstance(body, bytes) else encode(body)
        session = self.liar.observer.session
        payload = Payload(session, step.number, self.liar.seat, step.prev, kind, data)
        return self.sign(msgspec.structs.replace(payload, **changes))

    def altered(self, wire: bytes, **changes: Any) -> bytes:
        """One of the cheat's envelopes with fields of its body changed, signed again."""
        payload = unseal(wire).payload
        body = msgspec.structs.replace(body_of(payload), **changes)
        return self.sign(msgspec.structs.replace(payload, body=encode(body)))

    def to_all(self, *wires: bytes) -> Sent:
        """The same for everybody."""
        return dict.fromkeys(self.honest, wires)

    def split(self, one: bytes, other: bytes) -> Sent:
        """One envelope for the first of the others, another for the rest."""
        first, *rest = self.honest
        return {first: [one], **{place: [other] for place in rest}}

    def push(self, sent: Sent) -> None:
        """Put envelopes of the cheat's on its links; its own player takes the first of them."""
        own = next((wires[0] for wires in sent.values() if wires), None)
        if own is not None:
            self.liar.receive(own)
        for place, wires in sent.items():
            self.wire[self.cheat, place].extend(wires)

    def act(self, place: int) -> bool:
        player = self.players[place]
        owed = player.owed()
        if place in self.dead or owed is None:
            return False
        if place == self.cheat and owed.step == self.hold:
            return False
        if self.halt is not None and owed.step >= self.halt:
            return False
        choice = first_choice(player) if owed.kind in ("bid", "play") else None
        wire = player.make(choice)  # type: ignore[arg-type]
        deed = self.deeds.pop(owed.step, None) if place == self.cheat else None
        if deed is None:
            self.send(place, wire)
        else:
            self.push(deed(self, wire))
        return player.owed() != owed

    # -- what the honest do --------------------------------------------------------------------

    def send(self, place: int, wire: bytes) -> Receipt:
        self._signed.append((place, wire))
        if place != self.cheat and self.observer(place).fault:
            raise NotCaught(f"player {place} signed something after it saw a fault")
        return super().send(place, wire)

    def broadcast(self, place: int, wires: Sequence[bytes]) -> None:
        """Put envelopes on all links of one player."""
        for other in range(4):
            if other != place:
                self.wire[place, other].extend(wires)

    def deliver(self, link: tuple[int, int]) -> Receipt:
        self.moves += 1
        if self.moves > MOVES:
            raise NotCaught("the table hangs: envelopes go round for ever")
        wire = self.wire[link].popleft()
        if link in self.blocked:
            return Receipt.REFUSED
        receipt = self.players[link[1]].receive(wire)
        self.react(link[1])
        return receipt

    def react(self, place: int) -> None:
        """Note what one player has seen, and let an honest one do what a session does."""
        events = self.observer(place).events()
        self.log[place] += events
        if place != self.cheat:
            for event in events:
                self._react(place, event)

    def _react(self, place: int, event: Event) -> None:
        player = self.players[place]
        match event:
            case Fault():
                self.broadcast(place, player.observer.shown())
            case Diverged(seat, step):
                if (place, seat, step) not in self._compared:
                    self._compared.add((place, seat, step))
                    self.broadcast(place, player.observer.since(max(0, step - 1)))
            case VoteCast(_, seat, step) | Unheard(seat, step):
                self._object(place, seat, step)

    def _object(self, place: int, seat: int, step: int) -> None:
        player = self.players[place]
        objection = player.objection(seat, step)
        if objection is not None:
            self.send(place, objection)
            self.react(place)

    def run(self, *args: Any, **kwargs: Any) -> None:
        """Play until nothing moves, the honest giving each other what is missing."""
        super().run(*args, **kwargs)
        while self._exchange():
            super().run(*args, **kwargs)
        for place in range(4):
            self.react(place)

    def _exchange(self) -> bool:
        """Each honest peer gives every other what its status says it lacks; whether any did."""
        moved = False
        for giver in self.honest:
            for taker in set(self.honest) - {giver}:
                moved |= self._give(giver, taker)
        return moved

    def _give(self, giver: int, taker: int) -> bool:
        here, there = self.observer(giver), self.observer(taker)
        if there.step.number > here.step.number or (giver, taker) in self.blocked:
            return False
        have = sum(1 << seat for seat in there.step.wires)
        lacked = here.missing(there.step.number, have)
        wires = [wire for wire in lacked if (giver, taker, wire) not in self._given]
        self._given |= {(giver, taker, wire) for wire in wires}
        self.wire[giver, taker].extend(wires)
        return bool(wires)

    def time_out(self, seat: int | None = None) -> None:
        """Every honest peer's deadline for a seat (the cheat's) passes: it does what is left."""
        seat = self.liar.seat if seat is None else seat
        for place in self.honest:
            player = self.players[place]
            observer = player.observer
            if seat not in observer.waiting():
                continue
            if (place, seat, observer.step.number) in self._compared:
                observer.blame_diverged(seat)
            elif observer.can_vote(player.seat, seat):
                self.send(place, player.vote(seat))
            self.react(place)
        self.run()

    # -- what came of it -----------------------------------------------------------------------

    def faults(self) -> list[Fault | None]:
        """What each honest peer found."""
        return [self.observer(place).fault for place in self.honest]

    def last_signed(self) -> int:
        """The last step for which an honest peer signed anything."""
        return max((unseal(wire).payload.step for _, wire in self.signed), default=-1)


# -- what every attack must come to -------------------------------------------------------------


VALUES = (Point, Masked, DealKey, Context, Card, BelotaState, Roster, Envelope)
"""What never changes, so that a copy of a table may share it."""


def _share(kinds: Iterable[type], hook: str = "__deepcopy__") -> None:
    def same(value: object, memo: object) -> object:
        return value

    for kind in kinds:
        setattr(kind, hook, same)


_share(VALUES)


@dataclass(frozen=True, slots=True)
class Caught:
    """What the honest found: all the same."""

    fault: Fault
    step: int


def blamed(den: Den, kind: FaultKind, later: int = 0, seat: int | None = None) -> Caught:
    """Run the table; check that all three honest peers blame the cheat for this, and stop.

    ``later`` is how many steps beyond the attack's an honest peer may have signed something:
    0 where the envelope itself shows the fault, 1 where two histories must meet first.
    """
    step = den.liar.observer.step.number if den.hold is None else den.hold
    den.run()
    guilty = den.liar.seat if seat is None else seat
    found = den.faults()
    if any(fault is None for fault in found):
        raise NotCaught(f"not everybody found a fault: {[str(f) for f in found]}")
    seen = {(fault.seat, fault.kind) for fault in found if fault}
    if seen != {(guilty, kind)}:
        raise NotCaught(f"seat {guilty} must be blamed for {kind.value}, not {seen}")
    if den.last_signed() > step + later:
        raise NotCaught(f"an honest peer signed for step {den.last_signed()}, after {step}")
    for place in den.honest:
        # A history costs time to verify again, and all three hold the same one.
        if place == den.honest[0] or kind is FaultKind.EQUIVOCATION:
            check_evidence_of(den, place)
        if den.players[place].owed() is not None or den.observer(place).waiting():
            raise NotCaught("an honest peer goes on after a fault")
    fault = found[0]
    assert fault is not None
    return Caught(fault, step)


def check_evidence_of(den: Den, place: int) -> None:
    """What this peer can show to a stranger names the guilty seat and its player."""
    observer = den.observer(place)
    fault, data = observer.fault, make_evidence(observer)
    assert fault is not None
    if fault.kind in NOT_PROVABLE:
        assert data is None
        return
    assert data is not None
    proof = check_evidence(data)
    assert (proof.fault.seat, proof.fault.kind) == (fault.seat, fault.kind)
    assert proof.identity == observer.table.players[fault.seat].identity


def nobody_blamed(den: Den) -> None:
    """Run the table; check that no honest peer found a fault with anybody."""
    den.run()
    if any(den.faults()):
        raise NotCaught(f"somebody was blamed: {[str(f) for f in den.faults()]}")


def played_on(den: Den) -> None:
    """Run the table; check that the match ended alike for the honest, with nobody blamed."""
    den.hold = None
    nobody_blamed(den)
    assert all(den.observer(place).done for place in den.honest)
    assert len({den.observer(place).transcript for place in den.honest}) == 1


def waits_for_cheat(den: Den) -> None:
    """Run the table; check that it stands still, and that all say for whom they wait."""
    nobody_blamed(den)
    for place in den.honest:
        if den.observer(place).waiting() != {den.liar.seat}:
            raise NotCaught(f"player {place} does not wait for the cheat alone")


# -- tables that have come to a certain point ---------------------------------------------------


def prepared(kind: str, nth: int = 0, cheat: int | None = None, seed: str = ONE_DEAL) -> Den:
    """A table where all wait for the cheat's envelope of a kind, the ``nth`` in the record.

    The cheat is whoever sends that one in an honest match; ``cheat`` counts only that place's.
    """
    return at(*_where(kind, nth, cheat, seed), seed=seed)


def at(step: int, cheat: int, seed: str = ONE_DEAL) -> Den:
    """A table where all wait in a step for the player at a place, who cheats."""
    return copy.deepcopy(_stopped(step, cheat, seed))


@cache
def _stopped(step: int, cheat: int, seed: str) -> Den:
    den = copy.deepcopy(max((d for d in _on_the_way(seed) if _reached(d) <= step), key=_reached))
    den.cheat, den.hold, den.halt = cheat, step, None
    den.run()
    assert den.liar.owed() is not None, "the cheat owes nothing in this step"
    assert den.liar.observer.step.number == step
    return den


@cache
def _on_the_way(seed: str) -> tuple[Den, ...]:
    """An honest match, stopped every few steps, to save playing it from the start each time."""
    den = Den(0, seed=seed)
    found = [copy.deepcopy(den)]
    while not den.liar.observer.done:
        den.halt = _reached(den) + STRIDE
        den.run()
        found.append(copy.deepcopy(den))
    return tuple(found)


def _reached(den: Den) -> int:
    return min(player.observer.step.number for player in den.players)


@cache
def _where(kind: str, nth: int, cheat: int | None, seed: str) -> tuple[int, int]:
    room = finished(seed=seed)
    places = room.players[0].observer.table.places
    found = []
    for wire in record(room):
        payload = unseal(wire).payload
        place = payload.sender if payload.step < 3 else places[payload.sender]
        if payload.kind == kind and cheat in (None, place):
            found.append((payload.step, place))
    return found[nth]


def stage_of(den: Den) -> Stage:
    """The step that the cheat has before it."""
    stage = den.liar.observer.stage
    assert isinstance(stage, Stage)
    return stage


@dataclass(frozen=True, slots=True)
class Turn:
    """A seat's turn to play in an honest match: what it could do there.

    ``illegal`` are cards of its hand against the rules, ``due`` how many pairs of a slot and a
    card it has to prove for the card it plays.
    """

    step: int
    place: int
    hand: frozenset[Card]
    illegal: frozenset[Card]
    open_cards: frozenset[Card]
    due: int


@cache
def turns(seed: str = ONE_DEAL) -> tuple[Turn, ...]:
    """Every turn to play of an honest match, in order."""
    found: dict[int, Turn] = {}

    def look(room: Room) -> bool:
        for place, player in enumerate(room.players):
            owed = player.owed()
            if owed is not None and owed.kind == "play":
                found.setdefault(owed.step, _turn(place, owed.step, player))
        return False

    room = Looked(look, make_roster(options=SHORT), seed=seed)
    room.run()
    return tuple(found[step] for step in sorted(found))


class Looked(Room):
    """A room in which a test looks at every player before it acts."""

    def __init__(self, look: Callable[[Room], bool], roster: Roster, seed: str) -> None:
        super().__init__(roster, seed=seed)
        self._look = look

    def act(self, place: int) -> bool:
        self._look(self)
        return super().act(place)


def _turn(place: int, step: int, player: Player) -> Turn:
    table = player.observer.table
    state, deal = table.the_state(), table.the_deal()
    hand = frozenset(player.positions())
    legal = frozenset(table.game.legal(state, hand))
    play = first_choice(player)
    assert isinstance(play, Play)
    slots = [pos for pos in deal.hidden(player.seat) if pos != player.positions()[play.card]]
    due = len(deal.claims(slots, table.game.to_prove(state, play.card)))
    return Turn(step, place, hand, hand - legal, state.shown[player.seat], due)
