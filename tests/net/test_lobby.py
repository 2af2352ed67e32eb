"""The lobby without a network: what a guest refuses to sign, and what an opener counts as ready."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any, cast

import msgspec
import pytest
import trio
import trio.testing

from p2pcards.net.events import LinkDown, LinkUp, MeshEvent, Received
from p2pcards.net.forming import Door, Former
from p2pcards.net.identity import Identity
from p2pcards.net.joining import Joiner
from p2pcards.net.limits import LinkLimits
from p2pcards.net.link import CloseKind
from p2pcards.net.lobby import LobbyClosed, LobbyView, Opener, Want, pack_want
from p2pcards.net.mesh import Mesh
from p2pcards.net.notices import Denied, LobbyLine
from p2pcards.net.outcome import Ending, OnLoss
from p2pcards.net.peer import Peer
from p2pcards.net.talk import PASS_BURST, SAY_BURST, TALK_RATE
from p2pcards.net.wire import Hello
from p2pcards.net.wish import Role, Wish
from p2pcards.protocol.messages import PlayerInfo, Roster, Terms, decode, encode
from p2pcards.protocol.terms import make_terms
from p2pcards.protocol.traffic import (
    CHAT_MAX,
    Chat,
    Guest,
    LobbyState,
    Proposal,
    Ready,
    Said,
    Traffic,
    lobby_hash,
    pack,
    unpack,
)
from tests.protocol.room import NAMES, public

KEYS = [public(name) for name in NAMES]


class Wires:
    """In the place of a mesh: what was sent, and what is to come in."""

    def __init__(self) -> None:
        self.sent: list[Traffic] = []
        self.dropped: list[bytes] = []
        self.views: list[LobbyView] = []
        self.lines: list[LobbyLine] = []
        self.up: set[bytes] = set()
        self.put, self.events = trio.open_memory_channel[MeshEvent](100)

    def send(self, peer: bytes, payload: bytes) -> None:
        self.sent.append(unpack(payload))

    def broadcast(self, payload: bytes) -> None:
        self.sent.append(unpack(payload))

    def shown(self, what: LobbyView | LobbyLine) -> None:
        """Take what the lobby reports to its player."""
        if isinstance(what, LobbyView):
            self.views.append(what)
        else:
            self.lines.append(what)

    def drop(self, peer: bytes, reason: str) -> None:
        self.dropped.append(peer)

    def linked(self) -> set[bytes]:
        return self.up


class Me:
    """As much of an identity as a lobby looks at."""

    def __init__(self, place: int) -> None:
        self.public = KEYS[place]


def terms(partners: str = "drawn") -> Terms:
    return make_terms(bytes(16), "Kitchen", "belota", {}, partners)


def guests() -> tuple[Guest, ...]:
    return tuple(Guest(key, name, (), False) for key, name in zip(KEYS, NAMES, strict=True))


def proposed(state: LobbyState) -> Roster:
    """The roster of the table as it was shown."""
    players = tuple(PlayerInfo(g.identity, g.name, g.addresses) for g in state.guests)
    return Roster(decode(Terms, state.proposal), cast("Any", players))


def joined(place: int) -> tuple[Joiner, Wires]:
    """A guest that takes any table."""
    wires = Wires()
    me = cast("Identity", Me(place))

    def anything(terms: Terms) -> None:
        return None

    return Joiner(cast("Mesh", wires), me, KEYS[0], anything, wires.shown, NAMES[place]), wires


async def told(
    roster: Roster,
    *,
    shown: LobbyState | None = None,
    ready: bool = True,
    takes_back: bool = False,
) -> Roster:
    """What the guest at place 2 makes of a roster after it was shown the table."""
    joiner, wires = joined(2)
    state = shown or LobbyState(encode(terms()), guests())
    wires.put.send_nowait(Received(KEYS[0], pack(state)))
    async with trio.open_nursery() as nursery:
        got: list[Roster] = []

        async def gather() -> None:
            got.append(await joiner.gather())

        nursery.start_soon(gather)
        await trio.testing.wait_all_tasks_blocked()
        if ready:
            joiner.set_ready(True)
            assert wires.sent == [Ready(True, lobby_hash(state))]
        if takes_back:
            joiner.set_ready(False)
        wires.put.send_nowait(Received(KEYS[0], pack(Proposal(encode(roster)))))
    return got[0]


def closes(roster: Roster, text: str, **how: Any) -> None:
    with pytest.raises(ExceptionGroup) as caught:
        trio.run(lambda: told(roster, **how))
    (error,) = caught.value.exceptions
    assert isinstance(error, LobbyClosed)
    assert text in str(error)


def test_a_guest_takes_the_table_it_was_shown() -> None:
    roster = proposed(LobbyState(encode(terms()), guests()))
    assert trio.run(lambda: told(roster)) == roster


def _renamed(state: LobbyState) -> LobbyState:
    other = (msgspec.structs.replace(state.guests[1], name="Mallory"),)
    return msgspec.structs.replace(state, guests=state.guests[:1] + other + state.guests[2:])


def _replaced(state: LobbyState) -> LobbyState:
    other = (msgspec.structs.replace(state.guests[1], identity=public("Mallory")),)
    return msgspec.structs.replace(state, guests=state.guests[:1] + other + state.guests[2:])


def _reordered(state: LobbyState) -> LobbyState:
    a, b, c, d = state.guests
    return msgspec.structs.replace(state, guests=(a, c, b, d))


def _other_terms(state: LobbyState) -> LobbyState:
    return msgspec.structs.replace(state, proposal=encode(terms("chosen")))


@pytest.mark.parametrize("cheat", [_renamed, _replaced, _reordered, _other_terms])
def test_attack_another_roster_than_was_shown(cheat: Callable[[LobbyState], LobbyState]) -> None:
    """The opener has a guest say ready to one table, and then proposes another."""
    roster = proposed(cheat(LobbyState(encode(terms()), guests())))
    closes(roster, "proposed another table")


def test_attack_roster_before_the_guest_is_ready() -> None:
    roster = proposed(LobbyState(encode(terms()), guests()))
    closes(roster, "although we were not ready", ready=False)
    closes(roster, "although we were not ready", takes_back=True)


def test_attack_a_table_of_others_shown_and_proposed() -> None:
    """It was shown that way, and is wrong all the same: we under another name, another opener."""
    first, second, third, fourth = guests()
    for me in (msgspec.structs.replace(third, name="Me"), Guest(public("Me"), "Me", (), False)):
        shown = LobbyState(encode(terms()), (first, second, me, fourth))
        closes(proposed(shown), "without us, or under another name", shown=shown)
    shown = LobbyState(encode(terms()), (second, first, third, fourth))
    closes(proposed(shown), "opener is not", shown=shown)


@pytest.mark.parametrize(
    "name",
    ["AIGUL", "Ａｉｇｕｌ", "Ai gul", "Ai\u200bgul", "\u0410igul", "Αigul", "Algul", "A\u0456gu1"],
)
def test_a_name_that_looks_like_another_is_refused(name: str) -> None:
    opener, _wires, _views = opened()
    assert "taken" in str(opener.admit(KEYS[1], hello(name)))
    assert opener.admit(KEYS[1], hello("Aygul")) is None
    assert "needs a name" in str(opener.admit(KEYS[1], hello("\u200b")))


def test_attack_a_lobby_of_two_that_look_the_same() -> None:
    state = LobbyState(encode(terms()), (*guests()[:2], Guest(KEYS[2], "AIGUL", (), False)))
    joiner, _wires = joined(1)
    with pytest.raises(LobbyClosed, match="look the same"):
        joiner._on_message(pack(state))


def hello(name: str) -> Hello:
    return Hello(1, name, 0, pack_want(Want("join", b"", b"")))


def opened(partners: str = "chosen") -> tuple[Opener, Wires, list[LobbyView]]:
    wires = Wires()
    me = Guest(KEYS[0], NAMES[0], (), False)
    identity = cast("Identity", Me(0))
    opener = Opener(cast("Mesh", wires), identity, terms(partners), me, wires.shown)
    return opener, wires, wires.views


def come(opener: Opener, count: int = 3) -> None:
    for key, name in list(zip(KEYS, NAMES, strict=True))[1 : count + 1]:
        opener._on_event(LinkUp(key, name, b"", False, None))


def agree(opener: Opener, place: int, table: bytes | None) -> bool:
    """A guest says it is ready; whether that counts."""
    assert table is not None
    opener._on_event(Received(KEYS[place], pack(Ready(True, table))))
    return opener.guests[KEYS[place]].ready


def test_ready_counts_for_the_table_as_it_stands_only() -> None:
    opener, _wires, _views = opened()
    come(opener, 2)
    before = opener.shown()
    assert agree(opener, 1, before)
    opener.set_ready(True)
    come(opener, 3)
    assert not any(guest.ready for guest in (opener.me, *opener.guests.values()))
    assert not agree(opener, 2, before)
    assert agree(opener, 2, opener.shown())


def test_a_guest_whose_link_was_replaced_is_ready_again_and_nobody_else_need_be() -> None:
    opener, wires, _views = opened()
    come(opener)
    for place in (1, 2):
        agree(opener, place, opener.shown())
    come(opener, 1)
    assert [guest.ready for guest in opener.guests.values()] == [False, True, False]
    joiner, said = joined(1)
    state = wires.sent[-1]
    joiner._on_message(pack(state))
    assert not said.sent
    joiner.set_ready(True)
    joiner._on_message(pack(state))
    assert said.sent == [Ready(True, opener.shown() or b"")] * 2


def test_every_guest_can_become_the_openers_partner() -> None:
    opener, wires, views = opened()
    come(opener)
    seen = set()
    for _ in range(3):
        assert agree(opener, 1, opener.shown())
        opener.change_partner()
        assert not any(guest.ready for guest in opener.guests.values())
        seen.add(views[-1].guests[2].name)
        assert isinstance(wires.sent[-1], LobbyState)
        assert wires.sent[-1].guests == views[-1].guests
    assert seen == set(NAMES[1:])


def test_the_roster_is_what_was_shown_once_all_four_are_ready() -> None:
    """Also when the opener, of which no message tells, is the last to be ready."""
    opener, wires, views = opened()
    come(opener)
    for place in (1, 2, 3):
        assert agree(opener, place, opener.shown())

    async def main() -> Roster:
        async with trio.open_nursery() as nursery:
            rosters: list[Roster] = []

            async def gather() -> None:
                rosters.append(await opener.gather())

            nursery.start_soon(gather)
            await trio.testing.wait_all_tasks_blocked()
            opener.set_ready(True)
        return rosters[0]

    roster = trio.run(main, clock=trio.testing.MockClock(autojump_threshold=0))
    assert [p.identity for p in roster.players] == [g.identity for g in views[-1].guests] == KEYS
    assert wires.sent[-1] == Proposal(encode(roster))


# -- talk -------------------------------------------------------------------------------------


def at_rest(steps: Callable[[trio.testing.MockClock], None]) -> None:
    """Run steps that need a clock, on one that stands still unless it is moved."""
    clock = trio.testing.MockClock()

    async def main() -> None:
        steps(clock)

    trio.run(main, clock=clock)


def said(wires: Wires) -> list[Said]:
    return [message for message in wires.sent if isinstance(message, Said)]


def test_what_a_guest_says_is_passed_on_to_all_under_its_own_key() -> None:
    opener, wires, views = opened()
    come(opener)

    def talk(clock: trio.testing.MockClock) -> None:
        before = len(views)
        opener._on_event(Received(KEYS[1], pack(Chat("salut,\x1b[2J\u202e  la toți"))))
        opener.say("hello")
        assert said(wires) == [Said(KEYS[1], "salut,[2J la toți"), Said(KEYS[0], "hello")]
        assert [(line.name, line.is_mine) for line in wires.lines] == [
            (NAMES[1], False),
            (NAMES[0], True),
        ]
        assert len(views) == before

    at_rest(talk)


def test_what_means_nothing_is_not_passed_on_and_nobody_but_guests_is_heard() -> None:
    opener, wires, _views = opened()
    come(opener, 2)

    def talk(clock: trio.testing.MockClock) -> None:
        for peer, text in ((KEYS[1], "\u200b "), (KEYS[3], "I am not here")):
            opener._on_event(Received(peer, pack(Chat(text))))
        opener._on_event(Received(KEYS[1], pack(Said(KEYS[2], "words of another"))))
        assert not said(wires)
        assert not wires.lines

    at_rest(talk)


def test_a_guest_that_says_too_much_is_passed_on_slowly_and_mutes_nobody_else() -> None:
    opener, wires, _views = opened()
    come(opener)

    def talk(clock: trio.testing.MockClock) -> None:
        for _ in range(500):
            opener._on_event(Received(KEYS[1], pack(Chat("flood"))))
        assert len(said(wires)) == PASS_BURST
        opener._on_event(Received(KEYS[2], pack(Chat("I, too"))))
        assert said(wires)[-1].speaker == KEYS[2]
        clock.jump(3 / TALK_RATE)
        for _ in range(500):
            opener._on_event(Received(KEYS[1], pack(Chat("flood"))))
        assert len(said(wires)) == PASS_BURST + 1 + 3

    at_rest(talk)


def test_talk_takes_back_nobodys_word_and_a_guest_that_has_gone_is_forgotten() -> None:
    opener, _wires, _views = opened()
    come(opener)
    assert agree(opener, 1, opener.shown())

    def talk(clock: trio.testing.MockClock) -> None:
        opener._on_event(Received(KEYS[1], pack(Chat("ready when you are"))))
        assert opener.guests[KEYS[1]].ready
        opener._on_event(LinkDown(KEYS[1], "gone", CloseKind.LEFT))
        assert not opener.pace._buckets

    at_rest(talk)


def test_a_guest_shows_lines_of_those_who_are_there_only() -> None:
    joiner, wires = joined(2)
    early = pack(Said(KEYS[0], "before any table was shown"))
    joiner._on_message(early)
    joiner._on_message(pack(LobbyState(encode(terms()), guests()[:3])))
    for key, text in (
        (KEYS[1], "hi\x07\u202e there"),
        (KEYS[2], "I said so myself"),
        (KEYS[3], "from nobody"),
        (KEYS[0], "\u200b"),
    ):
        joiner._on_message(pack(Said(key, text)))
    joiner._on_message(pack(Chat("not the way talk comes to a guest")))
    assert wires.lines == [
        LobbyLine(NAMES[1], "hi there", False),
        LobbyLine(NAMES[2], "I said so myself", True),
    ]


def test_a_guest_sends_no_more_than_an_opener_passes_on() -> None:
    """Also when its link held everything back for as long as a silent link lives."""
    joiner, wires = joined(1)

    def talk(clock: trio.testing.MockClock) -> None:
        told = [joiner.say("x" * 999) for _ in range(20)]
        assert told.count(True) == len(wires.sent) == SAY_BURST
        assert wires.sent[0] == Chat("x" * CHAT_MAX)
        silence = LinkLimits().silence
        clock.jump(silence)
        assert joiner.say("again")
        assert SAY_BURST + silence * TALK_RATE <= PASS_BURST

    at_rest(talk)


def test_who_talks_to_nobody_or_too_fast_is_told_so() -> None:
    opener, wires, _views = opened()
    told: list[object] = []
    anything = cast("Any", None)
    wish = Wish("belota", {}, None, Role.OPEN, "drawn", 1, 1, 1.0, (), ())
    former = Former(
        cast("Mesh", wires), opener.identity, NAMES[0], anything, anything, Door(), wish,
        wires.shown, told.append,
    )  # fmt: skip

    def talk(clock: trio.testing.MockClock) -> None:
        former.say("no table yet")
        former.side = opener
        former.say("nobody came yet")
        assert told == [Denied("nobody is here to hear it yet")] * 2
        come(opener, 1)
        for i in range(int(PASS_BURST) + 1):
            former.say(f"line {i}")
        assert len(said(wires)) == len(wires.lines) == PASS_BURST
        assert told[2:] == [Denied("too many lines at once; the last was not sent")]

    at_rest(talk)


def test_what_is_said_while_a_table_gathers_again_goes_to_the_lobby() -> None:
    """The session that never began hears nothing any more."""

    async def decide(seat: int) -> OnLoss:
        return OnLoss.WAIT

    peer = Peer(cast("Any", None), cast("Any", None), lambda _event: None, decide)
    heard: list[str] = []
    endings = [Ending.LOST, Ending.COMPLETE]

    class Formers:
        mesh = SimpleNamespace(port=0, linked=list)
        say = staticmethod(heard.append)

        async def form(self) -> None:
            peer.say(f"{len(endings)} to come")

    async def play(*_args: object) -> object:
        peer.session = cast("Any", SimpleNamespace(say=lambda _text: None))
        observer = SimpleNamespace(step=SimpleNamespace(number=0))
        outcome = SimpleNamespace(ending=endings.pop(0))
        return SimpleNamespace(outcome=outcome, player=SimpleNamespace(observer=observer))

    former = cast("Any", Formers())
    peer.__dict__.update(_former=former, _play=play, _begin=lambda *_args: None)
    trio.run(peer._sessions, former, None)
    assert heard == ["2 to come", "1 to come"]


async def test_the_end_of_an_earlier_link_is_not_the_end_of_this_lobby() -> None:
    """It may still be unread when a table gathers again and is joined anew."""
    joiner, wires = joined(2)
    wires.up = {KEYS[0]}
    wires.put.send_nowait(LinkDown(KEYS[0], "the table gathers again", CloseKind.REFUSED))
    wires.put.send_nowait(Received(KEYS[0], pack(LobbyState(encode(terms()), guests()))))
    with trio.move_on_after(0.2):
        await joiner.gather()
    assert joiner.terms is not None
    wires.up = set()
    wires.put.send_nowait(LinkDown(KEYS[0], "gone", CloseKind.LEFT))
    with pytest.raises(LobbyClosed, match="gone"):
        await joiner.gather()


def test_attack_a_lobby_that_changes_all_the_time_or_has_no_name_to_show() -> None:
    joiner, wires = joined(2)
    for n in range(1000):
        some = guests()[: 1 + n % 4]
        joiner._on_state(LobbyState(encode(terms()), some))
    assert len(wires.views) < 50
    assert joiner.unshown is not None
    joiner.changes.level = 1.0
    joiner._show()
    assert len(wires.views[-1].guests) == 4
    assert joiner.unshown is None
    for name in ("\x9b2J", "a\u202eb"):
        joiner, _wires = joined(2)
        bad = msgspec.structs.replace(terms(), name=name)
        with pytest.raises(LobbyClosed, match="cannot be shown"):
            joiner._on_state(LobbyState(encode(bad), guests()))


def test_attack_a_guest_that_is_ready_and_not_ready_all_the_time() -> None:
    opener, wires, views = opened()
    come(opener)
    for n in range(1000):
        agree(opener, 1, opener.shown() if n % 2 else bytes(32))
    assert KEYS[1] in wires.dropped
    assert len(views) < 50
