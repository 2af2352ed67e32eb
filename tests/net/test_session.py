"""A session keeps what it signs before it is seen, and does after a restart what it owes."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
import trio

from p2pcards.net import session as session_module
from p2pcards.net.events import LinkUp, MeshEvent, Received
from p2pcards.net.manners import ASKS_BURST
from p2pcards.net.notices import Linked, Parted, Recalled, Watched
from p2pcards.net.outcome import Ending, OnLoss, Outcome, always, late, unvoted
from p2pcards.net.session import Session
from p2pcards.net.store import Store
from p2pcards.protocol.choosing import Choice, Question, Refusal
from p2pcards.protocol.envelope import digest, unseal
from p2pcards.protocol.events import DealBegun, DeckConfirmed, Diverged, SeatsDrawn
from p2pcards.protocol.messages import Object, Vote, decode
from p2pcards.protocol.player import Player
from p2pcards.protocol.traffic import Env, Leaving, Status, Watching, pack, unpack
from p2pcards.worded import Worded
from tests.protocol.cheat import Den, prepared
from tests.protocol.room import NAMES, ONE_DEAL, identity_key, public

HONEST = 0
SEED = digest(b"test seed", ONE_DEAL.encode(), NAMES[HONEST].encode())


class Silent:
    """One who never chooses."""

    async def choose(self, question: Question) -> Choice:
        await trio.sleep_forever()

    async def refused(self, refusal: Refusal) -> None:
        raise AssertionError(refusal)


class Wire:
    """A mesh without a network: what is sent is noted, with whether the journal had it then."""

    def __init__(self, journal: Path, is_linked: bool = True) -> None:
        self._put, self.events = trio.open_memory_channel[MeshEvent](1000)
        self.sent: list[tuple[bytes, bool]] = []
        self.dropped: list[bytes] = []
        self._journal = journal
        self._linked = {public(name) for name in NAMES[1:]} if is_linked else set()

    def linked(self) -> frozenset[bytes]:
        return frozenset(self._linked)

    def link(self, peer: bytes) -> None:
        self._linked.add(peer)
        self._put.send_nowait(LinkUp(peer, "x", b"", False, None))

    def receive(self, peer: bytes, wire: bytes) -> None:
        self._put.send_nowait(Received(peer, pack(Env(wire))))

    def broadcast(self, payload: bytes, besides: frozenset[bytes] = frozenset()) -> None:
        message = unpack(payload)
        if isinstance(message, Env) and self.linked() - besides:
            self.sent.append((message.wire, message.wire in self._journal.read_bytes()))

    def send(self, peer: bytes, payload: bytes) -> None:
        if isinstance(unpack(payload), Env) and peer not in self._linked:
            raise AssertionError("an envelope to one who is not linked")

    def drop(self, peer: bytes, reason: str) -> None:
        self.dropped.append(peer)

    def objections(self) -> list[tuple[int, bool]]:
        """The seats that objections were sent about, and whether each was kept before."""
        own = [(unseal(wire).payload, kept) for wire, kept in self.sent]
        return [(decode(Object, p.body).seat, kept) for p, kept in own if p.kind == "object"]


def late_vote() -> tuple[Den, bytes, int]:
    """A table where one has voted about a seat that the others have long heard; also that seat."""
    den = prepared("shares", cheat=2)
    step = den.liar.observer.step
    vote = next(
        den.envelope("vote", Vote(seat))
        for seat in range(4)
        if seat not in (den.liar.seat, den.players[HONEST].seat)
    )
    about = decode(Vote, unseal(vote).payload.body).seat
    den.hold = None
    den.run(until=lambda room: room.players[HONEST].observer.step.number > step.number)
    return den, vote, about


async def journal_of(den: Den, folder: Path, *more: bytes) -> Path:
    """The journal of the honest player at a table, ended by a crash after the last of ``more``."""
    player = den.players[HONEST]
    store = Store.begin(folder, player.observer.session, den.roster, SEED, 0)
    for wire in [*player.observer.since(0), *more]:
        await store.keep(wire)
    store.close()
    return next((folder / "journals").iterdir())


class Sat:
    """A session that runs on a journal."""

    def __init__(self, path: Path, is_linked: bool = True) -> None:
        self.store = Store.resume(path)
        name = NAMES[HONEST]
        self.player = Player(
            self.store.roster, public(name), identity_key(name).sign, self.store.seed
        )
        for wire in self.store.wires:
            self.player.receive(wire)
        self.mesh = Wire(path, is_linked)
        self.told: list[object] = []
        mesh: Any = self.mesh
        self.session = Session(
            mesh, self.player, Silent(), self.store, self.told.append, always(OnLoss.WAIT)
        )

    def hearing(self, wire: bytes) -> Callable[[], Awaitable[None]]:
        """That another sends an envelope."""

        async def send() -> None:
            self.mesh.receive(public(NAMES[2]), wire)

        return send

    async def run(
        self, during: Callable[[], Awaitable[None]], until: Callable[[], bool]
    ) -> Outcome | None:
        """What comes of it until something is true, for a few seconds at most."""
        outcome = None
        with trio.move_on_after(5):
            async with trio.open_nursery() as nursery:

                async def watch() -> None:
                    nonlocal outcome
                    outcome = await self.session.run()

                nursery.start_soon(watch)
                await during()
                while not until() and outcome is None:  # noqa: ASYNC110 - the mesh is a list
                    await trio.sleep(0.02)
                await trio.sleep(0.1)
                nursery.cancel_scope.cancel()
        self.store.close()
        return outcome


async def nothing() -> None:
    """Nothing happens meanwhile."""


async def test_a_late_objection_is_kept_before_it_is_sent_and_not_made_twice(
    tmp_path: Path,
) -> None:
    den, vote, about = late_vote()
    path = await journal_of(den, tmp_path)
    sat = Sat(path)
    await sat.run(sat.hearing(vote), lambda: bool(sat.mesh.objections()))
    assert sat.mesh.objections() == [(about, True)]
    assert all(kept for _, kept in sat.mesh.sent)

    again = Sat(path)
    await again.run(again.hearing(vote), bool)
    assert again.mesh.objections() == []
    assert len(again.store.wires) == len(set(again.store.wires))


async def test_a_vote_heard_before_a_crash_is_answered_after_it(tmp_path: Path) -> None:
    den, vote, about = late_vote()
    sat = Sat(await journal_of(den, tmp_path, vote))
    await sat.run(nothing, lambda: bool(sat.mesh.objections()))
    assert sat.mesh.objections() == [(about, True)]


async def test_an_old_vote_in_the_journal_is_let_lie(tmp_path: Path) -> None:
    """Nobody takes an objection so late; a peer that made one would refuse its own envelope."""
    den, vote, _ = late_vote()
    step = unseal(vote).payload.step
    den.players[HONEST].receive(vote)
    den.run(until=lambda room: room.players[HONEST].observer.step.number > step + 13)
    sat = Sat(await journal_of(den, tmp_path))
    assert await sat.run(nothing, bool) is None
    assert sat.mesh.objections() == []


async def test_a_fault_heard_before_a_crash_is_shown_after_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The cheat told this peer alone; the others learn of it once they are linked again."""
    monkeypatch.setattr(session_module, "LINGER", 4.0)
    den, vote, _ = late_vote()
    payload = unseal(vote).payload
    bad = den.envelope("vote", Vote(den.liar.seat), step=payload.step, prev=payload.prev)
    sat = Sat(await journal_of(den, tmp_path, bad), is_linked=False)
    assert sat.player.observer.fault is not None

    async def link_up() -> None:
        await trio.sleep(0.3)
        for name in NAMES[1:]:
            sat.mesh.link(public(name))

    outcome = await sat.run(link_up, lambda: False)
    assert outcome is not None
    assert outcome.ending is Ending.FAULT
    assert outcome.seats == (den.liar.seat,)
    assert bad in [wire for wire, _ in sat.mesh.sent]


async def test_who_comes_back_is_told_what_had_happened(tmp_path: Path) -> None:
    den = prepared("play", cheat=2)
    sat = Sat(await journal_of(den, tmp_path))
    await sat.run(nothing, lambda: bool(sat.told))
    (recalled,) = [item for item in sat.told if isinstance(item, Recalled)]
    kinds = [type(event) for event in recalled.events]
    assert kinds.index(SeatsDrawn) < kinds.index(DealBegun) < kinds.index(DeckConfirmed)
    assert not [item for item in sat.told if isinstance(item, DealBegun)]


async def test_a_link_that_takes_anothers_place_is_no_news(tmp_path: Path) -> None:
    den = prepared("play", cheat=2)
    sat = Sat(await journal_of(den, tmp_path))

    def told() -> list[bool]:
        return [item.up for item in sat.told if isinstance(item, Linked)]

    async def relink() -> None:
        sat.mesh.link(public(NAMES[1]))
        await trio.sleep(0.2)
        sat.session._link(public(NAMES[1]), False, "reset")
        sat.mesh.link(public(NAMES[1]))

    await sat.run(relink, lambda: len(told()) > 1)
    assert told() == [False, True]


async def test_a_known_reason_to_leave_can_be_put_into_any_language(tmp_path: Path) -> None:
    den = prepared("play", cheat=2)
    sat = Sat(await journal_of(den, tmp_path))
    peer = public(NAMES[1])

    async def leave() -> None:
        for text in (str(late(2)), str(unvoted(1, 3)), "seat 9 did not answer"):
            await sat.session._received(peer, pack(Leaving(text)))

    def parted() -> list[str]:
        return [item.reason for item in sat.told if isinstance(item, Parted)]

    await sat.run(leave, lambda: len(parted()) == 3)
    own = [isinstance(reason, Worded) for reason in parted()]
    assert own == [True, True, False]


async def test_a_vote_that_the_others_do_not_join_ends_the_session(tmp_path: Path) -> None:
    den = prepared("play", cheat=2)
    sat = Sat(await journal_of(den, tmp_path))
    me, lost = sat.player.seat, den.liar.seat
    terms = sat.store.roster.terms

    async def vote() -> None:
        await sat.session._on_verdict(lost, OnLoss.VOTE)
        now = trio.current_time()
        late = now + terms.think + terms.deadline
        assert sat.session._patience.vote_in_vain(late - 1) is None
        sat.session._end(sat.session._patience.vote_in_vain(late + 1))  # type: ignore[arg-type]

    outcome = await sat.run(vote, lambda: False)
    assert outcome is not None
    assert outcome.ending is Ending.LOST
    assert set(outcome.seats) == {0, 1, 2, 3} - {me, lost}
    assert "did not vote" in outcome.text


async def test_a_bot_that_stays_waits_on_while_a_person_is_there(tmp_path: Path) -> None:
    den = prepared("play", cheat=2)
    sat = Sat(await journal_of(den, tmp_path))
    lost, terms = den.liar.seat, sat.store.roster.terms
    patience, presence = sat.session._patience, sat.session._presence
    others = {0, 1, 2, 3} - {sat.player.seat, lost}
    ends: list[Outcome | None] = []

    async def vote() -> None:
        await sat.session._on_verdict(lost, OnLoss.STAY)
        assert "vote" in [unseal(wire).payload.kind for wire, _ in sat.mesh.sent]
        late = trio.current_time() + 2 * (terms.think + terms.deadline)
        ends.append(patience.vote_in_vain(late))
        for peer in [*sat.mesh.linked()]:
            presence.link(peer, False, trio.current_time())
        ends.append(patience.vote_in_vain(late))

    await sat.run(vote, lambda: bool(ends))
    assert ends[0] is None
    assert ends[1] is not None
    assert set(ends[1].seats) == others


async def test_a_vote_is_forgotten_once_its_seat_has_answered(tmp_path: Path) -> None:
    den = prepared("play", cheat=2)
    sat = Sat(await journal_of(den, tmp_path))
    terms = sat.store.roster.terms

    async def vote() -> None:
        await sat.session._on_verdict(den.liar.seat, OnLoss.VOTE)
        sat.player.observer.step.values[den.liar.seat] = "an answer shown by an objection"
        long_after = trio.current_time() + 2 * (terms.think + terms.deadline)
        assert sat.session._patience.vote_in_vain(long_after) is None

    await sat.run(vote, lambda: True)


async def test_attack_another_history_told_again_and_again_is_told_once(tmp_path: Path) -> None:
    den = prepared("play", cheat=2)
    sat = Sat(await journal_of(den, tmp_path))
    peer = public(NAMES[den.cheat])

    async def flood() -> None:
        for n in range(200):
            wire = den.envelope("play", b"", prev=n.to_bytes(32, "big"))
            await sat.session._received(peer, pack(Env(wire)))
            if n % 10 == 0:
                sat.session._strikes.clear()

    await sat.run(flood, bool)
    assert len([event for event in sat.told if isinstance(event, Diverged)]) == 1


async def test_who_has_objected_or_just_come_back_is_not_named(tmp_path: Path) -> None:
    den = prepared("play", cheat=2)
    sat = Sat(await journal_of(den, tmp_path))
    lost, terms = den.liar.seat, sat.store.roster.terms
    time = terms.think + terms.deadline
    others = sorted({0, 1, 2, 3} - {sat.player.seat, lost})
    step = sat.player.observer.step
    peer = sat.player.observer.table.players[others[0]].identity

    async def vote() -> None:
        await sat.session._on_verdict(lost, OnLoss.VOTE)
        now = trio.current_time()
        sat.session._presence.link(peer, True, now + time - 1)
        patience = sat.session._patience
        assert patience.vote_in_vain(now + time + 1) is None
        step.objections[others[0], lost] = b""
        step.objections[others[1], lost] = b""
        assert patience.vote_in_vain(now + 9 * time) is None
        del step.objections[others[1], lost]
        sat.session._end(patience.vote_in_vain(now + 9 * time))  # type: ignore[arg-type]

    outcome = await sat.run(vote, lambda: False)
    assert outcome is not None
    assert outcome.seats == (others[1],)


async def test_an_answer_to_those_who_voted_only_is_shown_to_the_others(tmp_path: Path) -> None:
    """Whoever has not voted is named if the vote comes to nothing, and must be able to object."""
    den = prepared("play", cheat=2)
    sat = Sat(await journal_of(den, tmp_path))
    answer = den.liar.make(den.liar.choices()[0])

    async def vote() -> None:
        await sat.session._on_verdict(den.liar.seat, OnLoss.VOTE)
        sat.mesh.receive(public(NAMES[2]), answer)
        sat.mesh.receive(public(NAMES[2]), answer)

    await sat.run(vote, lambda: answer in [wire for wire, _ in sat.mesh.sent])
    assert [wire for wire, _ in sat.mesh.sent].count(answer) == 1


async def test_the_newest_list_of_spectators_is_shown_in_the_end(tmp_path: Path) -> None:
    den = prepared("play", cheat=2)
    sat = Sat(await journal_of(den, tmp_path))
    peer = public(NAMES[1])

    async def churn() -> None:
        for n in range(60):
            await sat.session._received(peer, pack(Watching((f"w{n}",))))
        await sat.session._received(peer, pack(Watching(("Hidden",))))

    def is_told() -> bool:
        return any(isinstance(e, Watched) and e.name == "Hidden" and e.up for e in sat.told)

    await sat.run(churn, is_told)
    assert is_told()
    assert len([e for e in sat.told if isinstance(e, Watched)]) < 40


async def test_who_comes_back_has_its_time_once_more_and_is_asked_about_anew(
    tmp_path: Path,
) -> None:
    den = prepared("play", cheat=2)
    sat = Sat(await journal_of(den, tmp_path))
    late, terms = den.liar.seat, sat.store.roster.terms
    peer = sat.player.observer.table.players[late].identity
    presence, time = sat.session._presence, terms.think + terms.deadline
    now = trio.current_time()
    presence.new_step(now)
    presence.link(peer, True, now)
    assert presence.left(late, now + time - 1) == pytest.approx(1)
    assert sat.session._patience.due(now + 3 * time) == late
    presence.link(peer, False, now + time - 1)
    sat.session._link(peer, False, "gone")
    assert sat.session._patience.due(now + 3 * time) is None
    sat.session._link(peer, True, "")
    assert sat.session._patience.due(now + 9 * time) == late
    presence.link(peer, True, now + time - 1)
    assert presence.left(late, now + time) == pytest.approx(time - 1)
    presence.link(peer, True, now + 9 * time)
    assert presence.left(late, now + 9 * time) < 0
    sat.store.close()


async def test_who_had_lost_all_links_gives_everybody_the_time_of_the_step_anew(
    tmp_path: Path,
) -> None:
    den = prepared("play", cheat=2)
    sat = Sat(await journal_of(den, tmp_path))
    presence, terms = sat.session._presence, sat.store.roster.terms
    me, now = sat.player.seat, trio.current_time()
    first, second = public(NAMES[1]), public(NAMES[2])
    for peer in (first, second):
        presence.link(peer, True, now)
    presence.link(first, False, now + 50)
    presence.link(first, True, now + 55)
    assert presence.elapsed(now + 60) == pytest.approx(60)
    for peer in (first, second):
        presence.link(peer, False, now + 60)
    presence.link(second, True, now + 90)
    assert presence.to_think(me, now + 91) == pytest.approx(terms.think - 1)
    sat.store.close()


async def test_statuses_beyond_the_pace_are_not_looked_at(tmp_path: Path) -> None:
    den = prepared("play", cheat=2)
    sat = Sat(await journal_of(den, tmp_path))
    looked: list[Status] = []
    sat.session._presence.note = lambda _peer, status, _now: looked.append(status)  # type: ignore[method-assign,assignment]
    status = Status(sat.player.observer.session, 0, 0, 15, False)
    for _n in range(500):
        await sat.session._received(public(NAMES[2]), pack(status))
    sat.store.close()
    assert len(looked) <= ASKS_BURST + 20
