"""A live session: the one task that owns a player, between the mesh and whoever chooses.

Envelopes arrive, are verified in a worker thread, stored and passed on; what this seat owes is
made, stored and only then sent. Every wait has a limit, and says for whom it waits.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TypeAlias

import trio

from p2pcards.net.events import LinkDown, LinkUp, Received
from p2pcards.net.gallery import Gallery
from p2pcards.net.items import Chosen, Item, Loss, Quit, Say, Tick
from p2pcards.net.limits import HEAVY, STRIKES
from p2pcards.net.manners import Manners
from p2pcards.net.mesh import Mesh
from p2pcards.net.notices import ChatLine, Denied, Linked, Notice, Parted, Recalled
from p2pcards.net.outcome import Ending, LossDecider, OnLoss, Outcome, known_reason, late
from p2pcards.net.patience import Patience
from p2pcards.net.presence import Presence
from p2pcards.net.store import Store
from p2pcards.net.supply import Supply
from p2pcards.net.text import clean, is_bot
from p2pcards.net.watching import Watchers, wants_to_watch
from p2pcards.protocol.choosing import Choice, Chooser, Question, Refusal
from p2pcards.protocol.events import Closed, Diverged, Event, Unheard, VoteCast
from p2pcards.protocol.faults import Fault
from p2pcards.protocol.messages import WireError
from p2pcards.protocol.observer import Receipt
from p2pcards.protocol.player import Player
from p2pcards.protocol.traffic import (
    CHAT_MAX,
    Chat,
    Env,
    Leaving,
    Status,
    Traffic,
    Watching,
    pack,
    unpack,
)
from p2pcards.worded import Worded, text_of

Report: TypeAlias = Callable[[Event | Notice], None]

TICK = 0.1
"""Seconds between looks at the clock."""
STATUS_EVERY = 0.5
"""Seconds between two statuses to each peer."""
STALLED = 0.2
"""Seconds without progress after which a status is sent at once."""
LINGER = 8.0
"""Seconds at the end for peers that still miss an envelope."""
Stay: TypeAlias = Callable[[], Awaitable[None]]
"""What a person still does at a table after the match."""


class Session:
    """One peer's side of a match, from the roster to the last signature."""

    def __init__(
        self,
        mesh: Mesh,
        player: Player,
        chooser: Chooser,
        store: Store,
        report: Report,
        on_loss: LossDecider,
        watchers: Watchers | None = None,
    ) -> None:
        self.mesh = mesh
        self.player = player
        self._chooser = chooser
        self._store = store
        self._report = report
        self._on_loss = on_loss
        self._presence = Presence(player, trio.current_time())
        self._watchers = watchers or Watchers(player.observer.table.roster.terms.table, False)
        self._gallery = Gallery(mesh, player, self._presence, self._watchers, report)
        self._put, self._take_item = trio.open_memory_channel[Item](64)
        self._choosing_step = -1
        self._diverged: dict[int, int] = {}
        self._strikes: dict[bytes, int] = {}
        self._manners = Manners()
        self._supply = Supply(mesh, player, self._presence, self._manners)
        self._patience = Patience(player.observer, self._presence)
        self._status_due = 0.0
        self._outcome: Outcome | None = None

    # -- for the layer above -------------------------------------------------------------------

    def say(self, text: str) -> None:
        """Send a line of talk to the table; dropped when the session is too busy to take it."""
        self._offer(Say(clean(text, CHAT_MAX)))

    def quit(self, reason: str) -> None:
        """Leave the table and tell the others why."""
        self._offer(Quit(reason))

    def waiting_left(self, seat: int) -> float:
        """Seconds this seat still has for the step in progress, without the grace after them."""
        return self._presence.to_think(seat, trio.current_time())

    def linked_seats(self) -> set[int]:
        """The seats whose peers can be reached now."""
        return self._presence.linked_seats()

    async def run(self) -> Outcome:
        """Play the session to its end, whatever end that is."""
        async with trio.open_nursery() as nursery:
            self._nursery = nursery
            nursery.start_soon(self._listen)
            nursery.start_soon(self._tick)
            for peer in self.mesh.linked():
                self._presence.link(peer, up=True, now=trio.current_time())
            if self.player.observer.done:
                self._end(Outcome(Ending.COMPLETE))
            await self._recollect()
            await self._act()
            while self._outcome is None:
                await self._handle(await self._take_item.receive())
                await self._act()
            nursery.cancel_scope.cancel()
        if self._outcome.ending is not Ending.COMPLETE:
            reason = self._outcome.text[:CHAT_MAX] or "the session has ended"
            self.mesh.broadcast(pack(Leaving(reason)))
        return self._outcome

    async def linger(self, stay: Stay | None = None) -> None:
        """After a match: give the others what they lack, one that comes back late, too.

        As long as ``stay`` takes, and, for some seconds from now, until all others have it all:
        those that are here, or without ``stay`` those as well that may be about to restart.
        """
        self._to_players(self._supply.status())
        until = trio.current_time() + LINGER
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._listen)
            nursery.start_soon(self._tick)
            nursery.start_soon(self._attend, stay is not None)
            if stay is not None:
                await stay()
            with trio.move_on_at(until):
                while self._lag(bool(stay)):  # noqa: ASYNC110 - statuses are items like others
                    await trio.sleep(TICK)
            nursery.cancel_scope.cancel()

    async def _attend(self, tells: bool) -> None:
        """Take what still comes after the end, and tell who goes if somebody looks at it."""
        while True:
            match await self._take_item.receive():
                case LinkDown(peer=peer):
                    self._gone(peer, tells)
                case Received() | LinkUp() | Say() as item:
                    await self._handle(item)
                case Tick() if trio.current_time() >= self._status_due and self._lag():
                    self._status_due = trio.current_time() + STATUS_EVERY
                    self._to_players(self._supply.status())

    def _lag(self, linked_only: bool = False) -> set[int]:
        behind = self._presence.behind(self.player.observer.step.number)
        return behind & self.linked_seats() if linked_only else behind

    def _gone(self, peer: bytes, tells: bool) -> None:
        """After the end: whoever's link ends has looked at it for long enough."""
        seat = self._presence.seat_of(peer)
        self._gallery.leave(peer)
        self._presence.link(peer, False, trio.current_time())
        if tells and seat is not None and not is_bot(self._name(seat)):
            self._report(Parted(seat, known_reason("has left")))

    def _name(self, seat: int) -> str:
        return self.player.observer.table.players[seat].name

    # -- items ---------------------------------------------------------------------------------

    def _offer(self, item: Item) -> None:
        try:
            self._put.send_nowait(item)
        except trio.WouldBlock:
            self._report(Denied("too busy for that just now; try again"))

    async def _listen(self) -> None:
        async for event in self.mesh.events:
            await self._put.send(event)

    async def _tick(self) -> None:
        while True:
            await trio.sleep(TICK)
            await self._put.send(Tick())

    async def _handle(self, item: Item) -> None:
        match item:
            case Received(peer, payload):
                await self._received(peer, payload)
            case LinkUp(peer=peer, name=name, want=want):
                if self._presence.seat_of(peer) is None and wants_to_watch(want):
                    self._gallery.enter(peer, name, self._supply.status())
                self._link(peer, True, "")
            case LinkDown(peer, reason):
                self._gallery.leave(peer)
                self._link(peer, False, reason)
            case Tick():
                await self._on_tick()
            case Chosen(step, choice):
                if step == self.player.observer.step.number:
                    await self._send_choice(choice)
            case Loss(seat, verdict):
                await self._on_verdict(seat, verdict)
            case Say() if not self._manners.may_talk(b"", trio.current_time()):
                self._report(Denied("too many lines at once; the last was not sent"))
            case Say(text):
                self._to_players(Chat(text))
                self._report(ChatLine(self.player.seat, text))
            case Quit(reason):
                self._end(Outcome(Ending.LEFT, reason, (self.player.seat,)))

    def _to_players(self, message: Traffic) -> None:
        """Send what is not for spectators."""
        self.mesh.broadcast(pack(message), self._watchers.peers)

    def _link(self, peer: bytes, up: bool, reason: str) -> None:
        seat = self._presence.seat_of(peer)
        if seat is None:
            return
        was_up = seat in self._presence.linked_seats()
        self._presence.link(peer, up, trio.current_time())
        if up:
            self._patience.ask_anew(seat)
        if up != was_up:  # a link may only take another's place
            self._report(Linked(seat, up, reason))
        self._supply.forget(peer)
        if up:
            self.mesh.send(peer, pack(self._supply.status()))
            if self._watchers.names:
                self.mesh.send(peer, pack(Watching(self._watchers.names)))

    async def _received(self, peer: bytes, payload: bytes) -> None:
        seat = self._presence.seat_of(peer)
        if peer in self._watchers.peers:
            self._gallery.serve(peer, payload, self._supply.status())
            return
        if seat is None:
            self.mesh.drop(peer, "you have no seat at this table")
            return
        try:
            message = unpack(payload)
        except WireError as exc:
            self._strike(peer, text_of(exc))
            return
        match message:
            case Env(wire):
                await self._take(peer, wire)
            case Status():
                self._on_status(peer, seat, message)
            case Chat() | Leaving() if not self._manners.may_talk(peer, trio.current_time()):
                pass
            case Chat(text):
                self._report(ChatLine(seat, clean(text, CHAT_MAX)))
            case Leaving(reason):
                self._report(Parted(seat, known_reason(clean(reason, CHAT_MAX))))
            case Watching(names):
                self._gallery.hear(peer, names)
                self._gallery.show_lists(self._manners, trio.current_time())
            case _:
                pass  # what belongs to the lobby may come late and means nothing here

    def _strike(self, peer: bytes, reason: str) -> None:
        self._strikes[peer] = self._strikes.get(peer, 0) + 1
        if self._strikes[peer] >= STRIKES:
            self._strikes[peer] = 0
            self.mesh.drop(
                peer, Worded("too many messages make no sense; the last: {reason}", reason=reason)
            )

    # -- envelopes -----------------------------------------------------------------------------

    async def _take(self, peer: bytes, wire: bytes) -> None:
        receipt = await self._receive(wire)
        if receipt is Receipt.REFUSED:
            self._strike(peer, self.player.observer.refusal)
            return
        self._strikes.pop(peer, None)
        if receipt in (Receipt.ACCEPTED, Receipt.HELD):
            self._pass_on(peer, wire)
        if receipt is Receipt.HELD and self.player.observer.is_parked(wire):
            self._to_players(Env(wire))  # whoever has not voted may object with it

    async def _receive(self, wire: bytes, is_kept: bool = False) -> Receipt:
        before, awaited = self.player.observer.step.number, self.player.observer.waiting()
        if len(wire) >= HEAVY:
            receipt = await trio.to_thread.run_sync(self.player.receive, wire)
        else:
            receipt = self.player.receive(wire)
        if receipt in (Receipt.ACCEPTED, Receipt.HELD, Receipt.FAULT):
            if not is_kept:
                await self._store.keep(wire)
            self._gallery.pass_on(wire)
        # Whoever is waited for anew, after a vote say, has the whole time of a step.
        if self.player.observer.step.number != before or self.player.observer.waiting() - awaited:
            self._presence.new_step(trio.current_time())
        await self._tell_events()
        return receipt

    async def _tell_events(self) -> None:
        for event in self.player.observer.events():
            if isinstance(event, Diverged) and self._diverged.get(event.seat) == event.step:
                continue  # told already; every envelope of that history would tell it again
            self._on_event(event)
            self._report(event)
            if isinstance(event, VoteCast | Unheard):
                await self._object(event.seat, event.step)

    async def _object(self, seat: int, step: int) -> None:
        """Show the envelope of a seat that somebody has voted about, if it is here."""
        objection = self.player.objection(seat, step)
        if objection is not None:
            await self._publish(objection)

    async def _recollect(self) -> None:
        """Do what the envelopes of the journal call for and an earlier process may not have done.

        It may have ended between a vote about a seat that answered here and the objection, or
        before it could say that a seat is at fault.
        """
        past = tuple(self.player.observer.events())
        if past:
            self._report(Recalled(tuple(e for e in past if not isinstance(e, Fault))))
        for event in past:
            match event:
                case VoteCast(_, seat, step) | Unheard(seat, step):
                    await self._object(seat, step)
                case Fault(seat=seat):
                    with trio.move_on_after(LINGER):
                        await self._linked_to_all_but(seat)
                    self._on_event(event)
                    self._report(event)

    async def _linked_to_all_but(self, seat: int) -> None:
        players = enumerate(self.player.observer.table.players)
        others = {info.identity for place, info in players if place not in (seat, self.player.seat)}
        while not others <= self.mesh.linked():  # noqa: ASYNC110 - a link is an item still unread
            await trio.sleep(TICK)

    def _pass_on(self, peer: bytes, wire: bytes) -> None:
        """Hand an envelope to those who have no link to its author."""
        author = self._presence.author(wire)
        for other in self.mesh.linked() - {peer}:
            if author is not None and self._presence.lacks_link(other, author):
                self.mesh.send(other, pack(Env(wire)))

    def _on_event(self, event: Event) -> None:
        match event:
            case Diverged(seat, step):
                self._diverged[seat] = step
                for wire in self.player.observer.since(max(0, step - 1)):
                    self.mesh.broadcast(pack(Env(wire)))
            case Fault():
                for wire in self.player.observer.shown():
                    self.mesh.broadcast(pack(Env(wire)))
                self._end(Outcome(Ending.FAULT, event.sentence(), (event.seat,), event))
            case Closed():
                self._end(Outcome(Ending.COMPLETE))

    async def _act(self) -> None:
        """Send everything this seat owes and need not think about; ask for the rest."""
        while self._outcome is None:
            owed = self.player.owed()
            if owed is None:
                return
            if not owed.decides:
                await self._make(None)
            else:
                if owed.step != self._choosing_step:
                    self._choosing_step = owed.step
                    self._nursery.start_soon(self._choose, owed.step, self.player.question())
                return

    async def _choose(self, step: int, question: Question) -> None:
        choice = await self._chooser.choose(question)
        await self._put.send(Chosen(step, choice))

    async def _send_choice(self, choice: Choice) -> None:
        owed = self.player.owed()
        if owed is None or not owed.decides:
            return
        try:
            await self._make(choice)
        except Refusal as exc:
            self._choosing_step = -1
            await self._chooser.refused(exc)

    async def _make(self, choice: Choice) -> None:
        wire = await trio.to_thread.run_sync(self.player.make, choice)
        await self._publish(wire)

    async def _publish(self, wire: bytes) -> None:
        """The one way out for what this seat signs: on disk before anyone sees it."""
        await self._store.keep_own(wire)
        self._to_players(Env(wire))
        receipt = await self._receive(wire, is_kept=True)
        fault = self.player.observer.fault
        ours = fault is None or fault.seat == self.player.seat
        if receipt in (Receipt.REFUSED, Receipt.FAULT) and ours:
            reason = fault or self.player.observer.refusal
            raise RuntimeError(f"this peer's own envelope does not verify: {reason}")

    # -- what peers miss -----------------------------------------------------------------------

    def _on_status(self, peer: bytes, seat: int, status: Status) -> None:
        if status.session != self.player.observer.session:
            self._strike(peer, "a status of another session")
        elif self._manners.may_ask(peer, trio.current_time()):
            self._supply.answer(peer, seat, status, trio.current_time())

    async def _on_tick(self) -> None:
        now = trio.current_time()
        if now >= self._status_due:
            self._status_due = now + STATUS_EVERY
            if self._presence.elapsed(now) > STALLED:
                self._to_players(self._supply.status())
        notice = self._presence.waiting_notice(now)
        if notice is not None:
            self._report(notice)
        self._gallery.show_lists(self._manners, now)
        in_vain = self._patience.vote_in_vain(now)
        if in_vain is not None:
            self._end(in_vain)
        seat = self._patience.due(now)
        if seat is not None:
            self._nursery.start_soon(self._ask_loss, seat)

    # -- lost seats ----------------------------------------------------------------------------

    async def _ask_loss(self, seat: int) -> None:
        verdict = await self._on_loss(seat)
        await self._put.send(Loss(seat, verdict))

    async def _on_verdict(self, seat: int, verdict: OnLoss) -> None:
        observer = self.player.observer
        if seat not in observer.waiting() or verdict is OnLoss.WAIT:
            return
        if self._diverged.get(seat) == observer.step.number:
            observer.blame_diverged(seat)
            await self._tell_events()
            return
        stays, can_vote = verdict is OnLoss.STAY, observer.can_vote(self.player.seat, seat)
        if (stays or verdict is OnLoss.VOTE) and can_vote:
            await self._publish(await trio.to_thread.run_sync(self.player.vote, seat))
        if stays or (verdict is OnLoss.VOTE and can_vote):
            self._patience.voted(seat, trio.current_time(), stays=stays)
            return
        self._end(Outcome(Ending.LOST, late(seat), (seat,)))

    # -- the end -------------------------------------------------------------------------------

    def _end(self, outcome: Outcome) -> None:
        if self._outcome is None:
            self._outcome = outcome
