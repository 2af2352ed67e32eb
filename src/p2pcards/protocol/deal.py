"""The public cryptographic state of one deal: keys, deck, and what each slot has become.

A slot is a position in the cut deck, 0 to 31. Once the other three have given their shares, a
slot is a ciphertext that only its owner's deal key opens; once the owner opens it, it is a card.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from p2pcards.cards import DECK, Card
from p2pcards.crypto.deck import Deck, Masked, card_points, open_masked, reduce_masked
from p2pcards.crypto.group import Point, mul
from p2pcards.crypto.inequality import Absence
from p2pcards.crypto.keys import DealKey, DealSecret
from p2pcards.crypto.parts import Parts
from p2pcards.crypto.transcript import Context
from p2pcards.games.awaited import AwaitPacket

NAMES = tuple(card.ascii for card in DECK)


def point_of(card: Card) -> Point:
    """The group element that stands for a card."""
    return card_points(NAMES)[card.index]


def card_of(point: Point) -> Card:
    """The card a group element stands for; another element means a check was skipped."""
    try:
        return Card(_INDEX[point])
    except KeyError:
        raise RuntimeError("a verified slot opened to no card: a check was skipped") from None


_INDEX = {point: i for i, point in enumerate(card_points(NAMES))}


@dataclass(slots=True)
class Deal:
    """What everybody knows of one deal; changed only by completed steps.

    Commitments and parts are kept with the context of the step they came in: a key's proofs are
    bound to the step of its commitment, a part's seal to the step of the parts.
    """

    number: int
    secrets: dict[int, DealSecret] = field(default_factory=dict)
    commitments: dict[int, tuple[Context, bytes]] = field(default_factory=dict)
    keys: dict[int, DealKey] = field(default_factory=dict)
    joint: Point | None = None
    parts: dict[int, tuple[Context, Parts]] = field(default_factory=dict)
    deck: Deck = ()
    owner: dict[int, int] = field(default_factory=dict)
    masked: dict[int, Masked] = field(default_factory=dict)
    face_up: dict[int, Card] = field(default_factory=dict)
    gone: set[int] = field(default_factory=set)

    def copy(self) -> Deal:
        """The deal as it stands, to come back to; what it holds is never changed in place."""
        return replace(
            self,
            secrets=dict(self.secrets),
            commitments=dict(self.commitments),
            keys=dict(self.keys),
            parts=dict(self.parts),
            owner=dict(self.owner),
            masked=dict(self.masked),
            face_up=dict(self.face_up),
            gone=set(self.gone),
        )

    def joint_point(self) -> Point:
        """The joint key; asking before the keys are in is our own bug."""
        if self.joint is None:
            raise RuntimeError("the joint key is not known yet")
        return self.joint

    def bases(self, packet: AwaitPacket, giver: int) -> tuple[Point, ...]:
        """The points whose shares ``giver`` owes for a packet, in order of position."""
        return tuple(self.deck[pos].a for pos in _owed(packet, giver))

    def deal_packet(
        self, packet: AwaitPacket, shares: Mapping[int, Sequence[Point]]
    ) -> Card | None:
        """Record a packet from all four seats' shares; the turned card, if any."""
        by_slot: dict[int, dict[int, Point]] = {}
        for giver, points in shares.items():
            for pos, point in zip(_owed(packet, giver), points, strict=True):
                by_slot.setdefault(pos, {})[giver] = point
        for pos, seat in packet.hidden:
            self.owner[pos] = seat
            self.masked[pos] = reduce_masked(self.deck[pos], by_slot[pos].values())
        for pos, seat in packet.given:
            self.owner[pos] = seat
        if packet.turned is None:
            return None
        opened = open_masked(self.deck[packet.turned], by_slot[packet.turned].values())
        card = self.face_up[packet.turned] = card_of(opened)
        return card

    def public_shares(self, packet: AwaitPacket, seat: int) -> tuple[Point, ...]:
        """The shares of a seat whose deal key is public."""
        return tuple(mul(base, self.secrets[seat].x) for base in self.bases(packet, seat))

    def slots(self, seat: int) -> tuple[int, ...]:
        """The positions of the cards this seat still has, hidden or open."""
        return tuple(sorted(p for p, s in self.owner.items() if s == seat and p not in self.gone))

    def hidden(self, seat: int) -> tuple[int, ...]:
        """The positions of this seat's cards that nobody else has seen."""
        return tuple(p for p in self.slots(seat) if p not in self.face_up)

    def hand(self, seat: int, secret: DealSecret) -> dict[Card, int]:
        """Each card of a seat with its position, opened with that seat's key."""
        cards: dict[Card, int] = {}
        for pos in self.slots(seat):
            card = self.face_up.get(pos)
            if card is None:
                card = self.look(pos, secret)
            cards[card] = pos
        return cards

    def look(self, pos: int, secret: DealSecret) -> Card:
        """The card in one hidden slot, opened with its owner's key."""
        masked = self.masked[pos]
        return card_of(open_masked(masked, (mul(masked.a, secret.x),)))

    def claims(self, slots: Iterable[int], cards: Iterable[Card]) -> Absence:
        """The statement that none of the slots holds any of the cards, both ascending."""
        return Absence(
            tuple(self.masked[pos] for pos in sorted(slots)),
            tuple(point_of(card) for card in sorted(cards)),
        )


def _owed(packet: AwaitPacket, giver: int) -> list[int]:
    """The positions of a packet that a seat owes shares for: all that are not its own to see."""
    owed = {pos for pos, seat in packet.hidden if seat != giver}
    if packet.turned is not None:
        owed.add(packet.turned)
    return sorted(owed)
