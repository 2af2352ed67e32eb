"""One player's evening: a peer on one side, a face for a person on the other.

The face knows no network; here its happenings are made from what the peer reports.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Protocol

import trio

from p2pcards.bots.levels import USUAL, suggest
from p2pcards.commands.heard import heard
from p2pcards.commands.peer import STATUS
from p2pcards.games.base import View
from p2pcards.games.registry import title_of
from p2pcards.net import notices
from p2pcards.net.errors import NetError
from p2pcards.net.identity import fingerprint, groups, load_or_create
from p2pcards.net.known import KnownPeers
from p2pcards.net.lobby import LobbyView
from p2pcards.net.outcome import Ending, OnLoss
from p2pcards.net.peer import Formed, Peer, PeerSettings
from p2pcards.net.result import Result
from p2pcards.net.text import clean, is_bot
from p2pcards.protocol import events
from p2pcards.protocol.choosing import Choice, Question, Refusal
from p2pcards.protocol.course import Bar
from p2pcards.protocol.messages import Terms
from p2pcards.protocol.player import Player
from p2pcards.protocol.senders import DRAWN_AT
from p2pcards.protocol.terms import differences
from p2pcards.ui import happenings as hap
from p2pcards.ui.i18n import why
from p2pcards.ui.words import Speaker

HINTS = "hard:budget=0.3"
"""Who gives hints: it thinks while the screen waits, so it does not think for long."""


class Face(Protocol):
    """What a person sees and answers by; both the screen and the plain lines are one."""

    @property
    def is_ready(self) -> bool:
        """Whether the person wants the game to begin."""
        ...

    def tell(self, item: hap.Happening) -> None:
        """Show what happened."""

    async def choose(self, question: Question) -> Choice:
        """The person's choice."""

    async def refused(self, refusal: Refusal) -> None:
        """The choice was against the rules; ``choose`` comes again."""

    async def decide_loss(self, seat: int, bar: Bar | None) -> str:
        """``vote``, unless there is a ``bar`` to it, ``wait`` or ``stop``."""


class Brings(Protocol):
    """Who brings bots to the lobby, and sends them away."""

    def add(self, level: str) -> None:
        """Bring one more."""

    def dismiss(self) -> None:
        """Send the last one away."""

    def come_back(self, terms: Terms) -> None:
        """Bring those again that had been brought to a table to which the person comes back."""


class Sitting:
    """Runs one peer for one person, and turns what it reports into happenings."""

    def __init__(
        self, settings: PeerSettings, on_loss: str = "ask", letters: bool = False,
        stay: Callable[[], Awaitable[None]] | None = None,
    ) -> None:  # fmt: skip
        """``stay`` as for :class:`Peer`."""
        self.settings = settings
        self.peer = Peer(settings, self, self.report, self._decide, self._is_ready, stay)
        self.status = 0
        self.signal = 0
        self.face: Face | None = None
        self.lobby: LobbyView | None = None
        self.lobby_known = trio.Event()
        self.letters = letters
        self.crew: Brings | None = None
        self._speaker = Speaker(ascii_only=letters)
        self._on_loss = on_loss
        self._identity = load_or_create(settings.data_dir)
        self._known = KnownPeers(settings.data_dir)
        self._scope = trio.CancelScope()
        self._seated = False
        self._names: tuple[str, ...] = ()

    # -- what a person may do ------------------------------------------------------------------

    def say(self, text: str) -> None:
        """Send a line of talk to the table or the lobby."""
        if text.strip():
            self.peer.say(text)

    def leave(self, reason: str) -> None:
        """Leave the table, or the lobby."""
        if self.peer.session is not None:
            self.peer.session.quit(reason)
        else:
            self._scope.cancel()

    def bring(self) -> None:
        """Bring a bot to the lobby."""
        if self.crew is not None:
            self.crew.add(USUAL)

    def dismiss(self) -> None:
        """Send away the bot that was brought last."""
        if self.crew is not None:
            self.crew.dismiss()

    def change_partner(self) -> None:
        """Let another guest of a table that we opened, with chosen partners, sit opposite us."""
        self.peer.change_partner()

    def ask_end(self, wish: bool) -> None:
        """Ask that the match end after this deal, which it does if all do; or no longer."""
        if self.peer.session is not None:
            self.peer.session.player.stop = wish

    def hint(self, question: Question) -> str | None:
        """What the strongest bot there is would do, in words."""
        if not question.choices:
            return None
        action = suggest(HINTS, question.game, question.view, question.choices, bytes(16))
        return self._speaker.choice(action, question.view)

    def left(self, seat: int) -> float | None:
        """Seconds that a seat has left for the step in progress."""
        return self.peer.session.waiting_left(seat) if self.peer.session else None

    # -- the evening ---------------------------------------------------------------------------

    async def run(self, face: Face) -> int:
        """Form or resume a table and play it to its end; the exit status. Raises NetError."""
        self.face = face
        with self._scope:
            await self.peer.run()
        return self.status

    async def choose(self, question: Question) -> Choice:
        """The face's choice."""
        self._seat_if_due()
        return await self._face().choose(question)

    async def refused(self, refusal: Refusal) -> None:
        """Handed on to the face."""
        await self._face().refused(refusal)

    async def _decide(self, seat: int) -> OnLoss:
        if self._on_loss != "ask":
            return OnLoss(self._on_loss)
        player = self._player()
        bar = Bar.UNDRAWN if player is None else player.observer.bar(player.seat, seat)
        verdict = OnLoss(await self._face().decide_loss(seat, bar))
        # A person leaves the table when the person wants to, not when a vote takes its time.
        return OnLoss.STAY if verdict is OnLoss.VOTE and bar is None else verdict

    def _is_ready(self) -> bool:
        return self._face().is_ready

    def _face(self) -> Face:
        if self.face is None:
            raise RuntimeError("the sitting is not running")
        return self.face

    # -- from reports to happenings ------------------------------------------------------------

    def report(self, event: object) -> None:
        """Take what the peer reports."""
        face = self._face()
        match event:
            case LobbyView():
                self.lobby = event
                self.lobby_known.set()
                face.tell(self._gathering(event))
            case Formed():
                self._seated = False
                self._names = tuple(clean(p.name, 32) for p in event.roster.players)
                self._remember(event)
                face.tell(hap.Formed(event.roster.terms.name, self._names, event.resumed))
                if event.resumed and self.crew is not None:
                    self.crew.come_back(event.roster.terms)
            case Result():
                self._result(event)
            case notices.Waiting():
                self._seat_if_due()
                face.tell(heard(event))
            case notices.Recalled():
                self._seat_if_due()
                face.tell(heard(event, self._view()))
                self._tell_absent()
            case _ if isinstance(event, events.Arrived | notices.Notice):
                self._seat_if_due()
                face.tell(heard(event))
            case _:
                self._seat_if_due()
                face.tell(heard(event, self._view()))

    def _player(self) -> Player | None:
        return self.peer.session.player if self.peer.session else None

    def _view(self) -> View | None:
        player = self._player()
        if player is None or player.observer.table.state is None:
            return None
        return player.view()

    def _seat_if_due(self) -> None:
        """Tell who sits where as soon as that is drawn, also after coming back."""
        player = self._player()
        if self._seated or player is None or player.observer.step.number < DRAWN_AT:
            return
        self._seated = True
        table = player.observer.table
        names = tuple(clean(p.name, 32) for p in table.players)
        self._face().tell(hap.Seated(table.game, names, player.seat))

    def _tell_absent(self) -> None:
        """Tell who is not here, as this player comes back: links that are up are told."""
        session, player = self.peer.session, self._player()
        if session is None or player is None:
            return
        here = {*session.linked_seats(), player.seat, *player.observer.table.bots}
        if absent := tuple(seat for seat in range(4) if seat not in here):
            self._face().tell(hap.Absent(absent))

    def _gathering(self, view: LobbyView) -> hap.Gathering:
        people = []
        for guest in view.guests:
            is_me = guest.identity == self._identity.public
            known = "same" if is_me else self._known.check(guest.name, guest.identity).status.value
            known = "bot" if is_bot(guest.name) else known
            short = groups(fingerprint(guest.identity))
            people.append(hap.Person(guest.name, short, guest.ready, known, is_me))
        terms = view.terms
        return hap.Gathering(
            terms.name, terms.game, title_of(terms.game), tuple(people), differences(terms),
            terms.partners, terms.think, view.is_opener,
        )  # fmt: skip

    def _remember(self, formed: Formed) -> None:
        for player in formed.roster.players:
            if player.identity != self._identity.public:
                try:
                    self._known.remember(player.name, player.identity)
                except NetError as exc:
                    self._face().tell(hap.Trouble(why(exc)))

    def _result(self, result: Result) -> None:
        outcome, observer = result.outcome, result.player.observer
        if outcome.ending is Ending.LOST and not observer.step.number:
            return
        self.status = STATUS[outcome.ending]
        state = observer.table.state
        self._face().tell(
            hap.Over(
                outcome.ending.value, outcome.text, outcome.seats,
                state.winner if state else None, state.scores if state else (0, 0),
                observer.transcript.hex(), str(result.record or ""),
                not self.settings.alone,
            )
        )  # fmt: skip
