"""What a player may say beside its envelopes is bounded, and bounds nobody who behaves."""

from __future__ import annotations

from p2pcards.net.manners import ASKS_BURST, BATCH, BYTES_BURST, BYTES_RATE, Manners
from p2pcards.net.talk import PASS_BURST, TALK_RATE
from p2pcards.net.watching import ENTRY_BURST, Watchers
from p2pcards.net.wire import VERSION, Hello
from p2pcards.protocol.traffic import WATCHING_MAX

ANA, BOGDAN = b"a" * 32, b"b" * 32


def test_statuses_and_talk_of_one_peer_are_paced_and_do_not_touch_another() -> None:
    manners = Manners()
    assert [manners.may_ask(ANA, 0.0) for _n in range(100)].count(True) == ASKS_BURST
    assert [manners.may_talk(ANA, 0.0) for _n in range(100)].count(True) == PASS_BURST
    assert manners.may_ask(BOGDAN, 0.0)
    assert manners.may_talk(BOGDAN, 0.0)
    # Twice a second for an hour, as an honest peer that waits.
    calm = Manners()
    assert all(calm.may_ask(ANA, n / 2) for n in range(7200))
    assert all(calm.may_talk(ANA, n / TALK_RATE) for n in range(3600))


def test_the_past_is_sent_in_batches_and_not_faster_than_a_link_bears() -> None:
    manners = Manners()
    wires = [bytes(8 << 10)] * 1000
    assert len(manners.batch(ANA, wires, 0.0)) == BATCH
    sent = BATCH + sum(len(manners.batch(ANA, wires, 0.0)) for _n in range(100))
    assert sent == BYTES_BURST // (8 << 10)
    assert manners.batch(ANA, wires, 0.0) == []
    assert len(manners.batch(BOGDAN, wires, 0.0)) == BATCH
    assert len(manners.batch(ANA, wires, 1.0)) == BYTES_RATE // (8 << 10)


def hello(name: str) -> Hello:
    return Hello(VERSION, name, 0, b"")


def test_a_spectator_does_not_come_under_the_name_of_a_player() -> None:
    watchers = Watchers(bytes(16), players=frozenset({"ana"}))
    assert watchers.admit(BOGDAN, hello("Bogdan")) is None
    assert "has that name" in str(watchers.admit(BOGDAN, hello("A na")))


def test_spectators_that_come_and_go_are_paced() -> None:
    watchers = Watchers(bytes(16))
    came = 0
    for number in range(200):
        peer = number.to_bytes(32, "big")
        came += watchers.enter(peer, str(number), 0.0)
        watchers.leave(peer)
    assert came == ENTRY_BURST
    assert ENTRY_BURST >= WATCHING_MAX
    assert watchers.enter(ANA, "Ana", 2.0)
