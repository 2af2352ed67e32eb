"""Discovery: what announcements say, real mDNS on loopback, and what goes wrong with it."""

from __future__ import annotations

import contextlib
import secrets
import socket
from collections.abc import AsyncIterator, Callable
from dataclasses import fields, replace

import pytest
import trio
import zeroconf
from hypothesis import given
from hypothesis import strategies as st

from p2pcards.games.options import Numbers
from p2pcards.games.registry import GAMES
from p2pcards.net import interfaces
from p2pcards.net.browsing import is_reachable, preference
from p2pcards.net.discovery import (
    MAX_OF_ADDRESS,
    MAX_TABLES,
    SERVICE,
    DiscoveryUnavailable,
    StaticDiscovery,
    TableAd,
    Tables,
    from_txt,
    instance_name,
    to_txt,
)
from p2pcards.net.interfaces import InterfaceAddress
from p2pcards.net.mdns import MdnsDiscovery, open_mdns
from p2pcards.protocol.terms import make_terms, own_rules
from tests.net.wires import LOCAL

AD = TableAd("Joi seara", "ab12" * 8, "belota", "00ff", 3, 1, "Ștefan", "c0" * 16, 4000, (LOCAL,))


def fresh(**changes: object) -> TableAd:
    """An ad that no other test run on this machine announces."""
    unique = {"table_id": secrets.token_hex(16), "peer": secrets.token_hex(16)}
    return replace(AD, **{**unique, **changes})  # type: ignore[arg-type]


def txt_of(ad: TableAd) -> dict[bytes, bytes | None]:
    """An ad's TXT record as a reader gets it."""
    return {key.encode(): value.encode() for key, value in to_txt(ad).items()}


async def see(tables: Tables, test: Callable[[tuple[TableAd, ...]], bool]) -> None:
    """Wait until the tables are as they should be."""
    with trio.fail_after(5):
        while not test(tables.snapshot()):
            await tables.changed()


def test_a_txt_record_comes_back() -> None:
    record = to_txt(AD)
    assert next(iter(record)) == "txtvers"
    assert all(len(key) <= 9 for key in record)
    assert from_txt(txt_of(AD), [LOCAL], 4000) == AD


def test_who_sits_there_is_told_and_cleaned() -> None:
    ad = replace(AD, guests=("Dana", "Erzhan, the 2nd"))
    assert from_txt(txt_of(ad), [LOCAL], 4000) == ad
    assert "with" not in to_txt(AD)
    hostile = {b"with": b"\x1b[2JD\n\n" + b"E\n" * 120}
    read = from_txt({**txt_of(AD), **hostile}, [LOCAL], 4000)
    assert read is not None
    assert read.guests[0] == "[2JD"
    assert len(read.guests) <= 3
    assert all(len(name) <= 32 and name.isprintable() for name in read.guests)


def test_own_rules_are_told_if_they_are_not_too_long() -> None:
    ad = replace(AD, rules="target=501,rounding=ten")
    assert to_txt(ad)["rules"] == "target=501,rounding=ten"
    assert from_txt(txt_of(ad), [LOCAL], 4000) == ad
    assert "rules" not in to_txt(AD)
    assert "rules" not in to_txt(replace(AD, rules="x" * 241))


@pytest.mark.parametrize("game", GAMES)
def test_every_option_together_is_short_enough_to_be_told(game: str) -> None:
    options = GAMES[game].parse_options({})
    longest = {}
    for option in fields(options):
        spec = option.metadata["spec"]
        if isinstance(spec, Numbers):
            values = list(map(str, spec.only or (spec.least, spec.most)))
        else:
            values = [value for value, _meaning in spec.meanings]
        longest[option.name] = max((v for v in values if v != str(option.default)), key=len)
    rules = own_rules(make_terms(bytes(16), "t", game, longest))
    assert rules.count("=") == len(fields(options))
    ad = replace(AD, rules=rules)
    assert from_txt(txt_of(ad), [LOCAL], 4000) == ad


def test_the_longest_txt_record_is_small() -> None:
    ad = replace(AD, nick="я" * 99, table="я" * 99, options="f" * 64, table_id="f" * 32)
    ad = replace(ad, rules="x" * 240, guests=("я" * 99,) * 3)
    size = sum(len(key) + len(value.encode()) + 2 for key, value in to_txt(ad).items())
    assert size < 880
    assert from_txt(txt_of(ad), [LOCAL], 1) is not None


def test_hostile_texts_are_cleaned_and_cut() -> None:
    hostile = {b"nick": b"\x1b[2J\xe2\x80\xaeevil" * 20, b"name": b"\xff\xfe" + b"x" * 250}
    ad = from_txt({**txt_of(AD), **hostile}, [f"10.0.0.{n}" for n in range(99)], 1)
    assert ad is not None
    assert ad.nick.startswith("[2Jevil")
    assert len(ad.nick) <= 32
    assert len(ad.table) <= 32
    assert len(ad.addresses) == 8


@pytest.mark.parametrize(
    "wrong",
    [
        {b"txtvers": b"2"},
        {b"id": b"c0"},
        {b"id": b"C0" * 16},
        {b"tbl": None},
        {b"tbl": b"../../etc"},
        {b"g": b"poker\x1b"},
        {b"free": b"9"},
        {b"free": "³".encode()},
        {b"free": b"-1"},
        {b"pv": b"99999"},
        {b"pv": b"1" * 5000},
        {b"st": b"weird"},
        {b"opt": b"zz"},
        {b"rules": b"target=\x1b"},
        {b"rules": b"x" * 241},
    ],
)
def test_what_is_no_table_is_not_shown(wrong: dict[bytes, bytes | None]) -> None:
    assert from_txt({**txt_of(AD), **wrong}, [LOCAL], 4000) is None


@given(st.dictionaries(st.sampled_from(list(txt_of(AD))), st.none() | st.binary(max_size=255)))
def test_no_txt_record_crashes_us(record: dict[bytes, bytes | None]) -> None:
    ad = from_txt({**txt_of(AD), **record}, [LOCAL], 4000)
    assert ad is None or ad == from_txt(txt_of(ad), [LOCAL], 4000)


@given(st.text(max_size=80))
def test_instance_names_fit_a_label(nick: str) -> None:
    name = instance_name(replace(AD, nick=nick.encode(errors="ignore").decode()))
    assert len(name.encode()) <= 63
    assert name.endswith("c0c0c0-ab12ab")
    zeroconf.ServiceInfo(SERVICE, f"{name}.{SERVICE}", port=1)


async def test_tables_are_bounded() -> None:
    tables = Tables()
    for number in range(MAX_TABLES + 50):
        tables.put(str(number), replace(AD, addresses=(f"10.0.0.{number}",), state="full"))
    assert len(tables.snapshot()) == MAX_TABLES
    tables.put("0", replace(AD, free=0))
    assert tables.snapshot()[0].free == 0
    tables.put("playing", replace(AD, state="playing"))
    tables.put("open", replace(AD, addresses=("10.0.1.1",)))
    assert len(tables.snapshot()) == MAX_TABLES
    assert [ad.state for ad in tables.snapshot()].count("open") == 2
    assert tables.snapshot()[-1].addresses == ("10.0.1.1",)


async def test_one_address_does_not_fill_the_list() -> None:
    tables = Tables()
    for number in range(MAX_TABLES):
        tables.put(str(number), AD)
    assert len(tables.snapshot()) == MAX_OF_ADDRESS
    tables.put("friend", replace(AD, addresses=("10.0.0.9",)))
    assert tables.snapshot()[-1].addresses == ("10.0.0.9",)


@pytest.mark.parametrize("values", [{"tbl": b"0"}, {"tbl": b"0" * 31}, {"name": b""}])
def test_a_record_that_no_table_has_is_passed_over(values: dict[str, bytes]) -> None:
    record = {**txt_of(AD), **{key.encode(): value for key, value in values.items()}}
    assert from_txt(record, [LOCAL], 4000) is None
    assert from_txt(txt_of(AD), [], 4000) is None


async def test_addresses_given_by_hand() -> None:
    discovery = StaticDiscovery([("friend.local", 4000), ("10.0.0.7", 4001)])
    async with discovery.browse() as tables, discovery.announce(AD) as announcement:
        assert [ad.dial for ad in tables.snapshot()] == [
            (("friend.local", 4000),),
            (("10.0.0.7", 4001),),
        ]
        await announcement.update(AD)


async def test_announce_find_update_and_withdraw() -> None:
    ad = fresh()
    async with open_mdns(LOCAL) as ours, open_mdns(LOCAL) as theirs, theirs.browse() as tables:
        async with ours.announce(ad) as announcement:
            await see(tables, lambda ads: ad in ads)
            fewer = replace(ad, free=1, state="full")
            await announcement.update(fewer)
            await see(tables, lambda ads: fewer in ads and ad not in ads)
        await see(tables, lambda ads: fewer not in ads)


async def test_a_late_comer_sees_what_was_announced_before() -> None:
    ad = fresh(nick="A.B.C " + "я" * 40)
    async with (
        open_mdns(LOCAL) as ours,
        ours.announce(ad),
        open_mdns(LOCAL) as late,
        late.browse() as tables,
    ):
        await see(tables, lambda ads: ad.table_id in {one.table_id for one in ads})


async def test_the_same_nickname_twice_makes_two_tables() -> None:
    first, second = fresh(), fresh(port=4001)
    async with contextlib.AsyncExitStack() as stack:
        for ad in (first, second):
            discovery = await stack.enter_async_context(open_mdns(LOCAL))
            await stack.enter_async_context(discovery.announce(ad))
        watcher = await stack.enter_async_context(open_mdns(LOCAL))
        tables = await stack.enter_async_context(watcher.browse())
        await see(tables, lambda ads: {first, second} <= set(ads))


async def test_leaving_by_cancellation_says_goodbye() -> None:
    ad = fresh()
    async with (
        open_mdns(LOCAL) as watcher,
        watcher.browse() as tables,
        trio.open_nursery() as nursery,
    ):

        async def announce() -> None:
            async with open_mdns(LOCAL) as ours, ours.announce(ad):
                await trio.sleep_forever()

        nursery.start_soon(announce)
        await see(tables, lambda ads: ad in ads)
        nursery.cancel_scope.cancel()
    async with open_mdns(LOCAL) as watcher, watcher.browse() as tables:
        await trio.sleep(0.3)
        assert ad not in tables.snapshot()


async def test_a_foreign_service_of_our_type_is_passed_over() -> None:
    ad = fresh()
    odd = zeroconf.ServiceInfo(
        SERVICE,
        f"odd {secrets.token_hex(4)}.{SERVICE}",
        port=1,
        properties={"nick": "\x1b[2J"},
        server=f"odd-{secrets.token_hex(4)}.local.",
        parsed_addresses=[LOCAL],
    )
    foreign = await trio.to_thread.run_sync(
        lambda: zeroconf.Zeroconf(interfaces=[LOCAL], use_asyncio=False)
    )
    try:
        await trio.to_thread.run_sync(
            lambda: foreign.register_service(odd, cooperating_responders=True)
        )
        async with open_mdns(LOCAL) as ours, ours.announce(ad), ours.browse() as tables:
            await see(tables, lambda ads: ad in ads)
            assert all(one.peer for one in tables.snapshot())
    finally:
        await trio.to_thread.run_sync(foreign.close)


async def test_an_address_this_machine_does_not_have() -> None:
    with pytest.raises(DiscoveryUnavailable, match=r"does not have that address.*--connect"):
        async with open_mdns("203.0.113.9"):
            pass


async def test_the_mdns_port_taken_without_sharing() -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as taken:
        try:
            taken.bind(("", 5353))
        except OSError:
            pytest.skip("another mDNS program runs on this machine")
        with pytest.raises(DiscoveryUnavailable, match=r"taken by another program.*--connect"):
            async with open_mdns(LOCAL):
                pass


@contextlib.asynccontextmanager
async def watching(monkeypatch: pytest.MonkeyPatch, changes: list[str]) -> AsyncIterator[list[str]]:
    """Discovery whose machine has these addresses, one after the other; what it then did."""
    done: list[str] = []

    class Fake:
        def update_interfaces(self) -> None:
            done.append("interfaces")

        def update_service(self, info: zeroconf.ServiceInfo) -> None:
            done.append(f"service {info.parsed_addresses()}")

        def register_service(self, info: zeroconf.ServiceInfo, **_: object) -> None:
            pass

        def unregister_service(self, info: zeroconf.ServiceInfo) -> None:
            pass

    def usable() -> tuple[InterfaceAddress, ...]:
        address = changes.pop(0) if len(changes) > 1 else changes[0]
        return (InterfaceAddress("eth0", address),)

    monkeypatch.setattr(interfaces, "usable", usable)
    discovery = MdnsDiscovery(Fake(), None)  # type: ignore[arg-type]
    async with trio.open_nursery() as nursery, discovery.announce(fresh(addresses=())):
        nursery.start_soon(discovery.watch_interfaces, 0.01)
        await trio.sleep(0.3)
        yield done
        nursery.cancel_scope.cancel()


async def test_an_address_that_changes_is_announced(monkeypatch: pytest.MonkeyPatch) -> None:
    changes = ["10.0.0.1", "10.0.0.1", "10.0.0.1", "10.0.0.2"]
    async with watching(monkeypatch, changes) as done:
        assert done == ["interfaces", "service ['10.0.0.2']"]


async def test_an_address_that_flaps_is_not(monkeypatch: pytest.MonkeyPatch) -> None:
    changes = ["10.0.0.1", "10.0.0.1", "10.0.0.2", "10.0.0.1", "10.0.0.3", "10.0.0.1"]
    async with watching(monkeypatch, changes) as done:
        assert done == []


def test_the_addresses_of_this_machine() -> None:
    assert all(one.ip != LOCAL for one in interfaces.usable())
    assert LOCAL in {one.ip for one in interfaces.usable(loopback=True)}
    versions = [one.version for one in interfaces.usable(loopback=True)]
    assert versions == sorted(versions)


def test_addresses_that_cannot_be_dialled_are_not_shown() -> None:
    assert not is_reachable("fe80::1")
    assert is_reachable("fe80::1%2")
    assert not is_reachable("224.0.0.251")
    hosts = ["127.0.0.1", "fd00::1", "169.254.1.1", "10.0.0.1"]
    assert sorted(hosts, key=preference) == [hosts[3], hosts[2], hosts[1], hosts[0]]
