"""Whole matches between four real processes that meet by multicast DNS on loopback."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from p2pcards.protocol.envelope import unseal
from p2pcards.protocol.record import MAGIC, read_record
from tests.e2e.peers import Party, Peer, agree, command, verify

SHORT = ("--option", "target=101")


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[str]]:
    """One demonstration match: its records and what it printed."""
    folder = tmp_path_factory.mktemp("demo")
    words = ("demo", "--headless", "--game", "belota", "--points", "101", "--json")
    done = command(*words, "--record", str(folder / "R"), home=folder)
    assert done.returncode == 0, done.stderr
    return folder / "R", done.stdout.splitlines()


def test_a_demonstration_ends_with_one_result(demo: tuple[Path, list[str]]) -> None:
    records, lines = demo
    result = json.loads(lines[-1])
    keys = {"event", "game", "winner", "scores", "names", "transcript", "pids"}
    assert set(result) == keys
    assert (result["event"], result["game"]) == ("result", "belota")
    assert result["winner"] in ("NS", "EW")
    winner = ("NS", "EW").index(result["winner"])
    assert result["scores"][winner] >= 101
    assert result["scores"][winner] > result["scores"][1 - winner]
    assert len(set(result["pids"])) == 4
    files = sorted(records.iterdir())
    assert len(files) == 4
    status, verdicts = verify(*files, json_lines=True)
    assert status == 0
    assert {v["transcript"] for v in verdicts} == {result["transcript"]}
    assert all(v["good"] and v["complete"] and v["winner"] == result["winner"] for v in verdicts)


def test_a_changed_byte_names_the_envelope_and_the_seat(
    demo: tuple[Path, list[str]], tmp_path: Path
) -> None:
    data = next(iter(sorted(demo[0].iterdir()))).read_bytes()
    wires, _ = read_record(data)
    at = len(MAGIC)
    for index, wire in enumerate(wires[:60]):
        if index % 6 == 5:
            changed = bytearray(data)
            changed[at + 4 + len(wire) // 2] ^= 0x20
            path = tmp_path / f"{index}.p2prec"
            path.write_bytes(changed)
            status, (verdict,) = verify(path, json_lines=True)
            assert status == 1
            assert not verdict["good"]
            assert verdict["envelope"] == index
            assert verdict["seat"] in (unseal(wire).payload.sender, None)
            assert f"envelope {index} " in verdict["text"]
        at += 4 + len(wire)


def test_a_truncated_record_says_so(demo: tuple[Path, list[str]], tmp_path: Path) -> None:
    data = next(iter(sorted(demo[0].iterdir()))).read_bytes()
    path = tmp_path / "short.p2prec"
    path.write_bytes(data[: len(data) // 2])
    status, (line,) = verify(path)
    assert status == 1
    assert "TRUNCATED" in line
    status, (verdict,) = verify(path, json_lines=True)
    whole = read_record(data[: len(data) // 2])[0]
    assert verdict["envelopes"] == len(whole)


@pytest.mark.parametrize("game", [("belota", "target=101"), ("belka", "target=6")])
def test_four_hard_bots_end_a_match_that_verifies(tmp_path: Path, game: tuple[str, str]) -> None:
    party = Party(tmp_path, extra=("--game", game[0], "--option", game[1], "--bot", "hard"))
    with party.playing() as seats:
        assert agree(seats, party.records)["game"] == game[0]
        assert not any(event["bot"] for event in seats[0].all("play"))


def test_a_killed_peer_is_named_and_the_others_leave(tmp_path: Path) -> None:
    party = Party(tmp_path, extra=(*SHORT, "--deadline", "8", "--bot", "easy"))
    with party.playing() as seats:
        seats[2].seen("play", 3)
        seats[2].kill()
        others = [seats[0], seats[1], seats[3]]
        assert [seat.end() for seat in others] == [4, 4, 4], [s.words for s in others]
        for seat in others:
            ended = seat.last("ended")
            gone = seat.last("seats")["places"].index(_place(seat, "P2"))
            assert (ended["kind"], ended["seats"]) == ("lost", [gone])
            assert f"P2 (seat {gone})" in seat.words
            assert "start" in seat.words  # what to do next
    status, verdicts = verify(*sorted(party.records.iterdir()), json_lines=True)
    assert status == 0
    assert len(verdicts) == 3
    assert not any(v["complete"] for v in verdicts)
    assert all(v["good"] for v in verdicts)


def test_a_lost_seat_goes_to_the_public_bot_by_vote(tmp_path: Path) -> None:
    extra = (*SHORT, "--deadline", "8", "--on-loss", "vote")
    party = Party(tmp_path, extra=extra)
    with party.playing() as seats:
        seats[1].seen("play", 6)
        seats[1].kill()
        others = [seats[0], seats[2], seats[3]]
        agree(others, party.records)
        gone = seats[0].last("seats")["places"].index(_place(seats[0], "P1"))
        for seat in others:
            assert seat.last("lost")["seat"] == gone
            assert all(e["bot"] for e in seat.all("play") if e["seat"] == gone and e["bot"])
            assert any(e["bot"] for e in seat.all("play") if e["seat"] == gone)
    _, verdicts = verify(*sorted(party.records.iterdir()), json_lines=True)
    assert all(v["bots"] == [gone] for v in verdicts)


def test_a_killed_peer_that_comes_back_goes_on(tmp_path: Path) -> None:
    party = Party(tmp_path, extra=(*SHORT, "--deadline", "30"))
    with party.playing() as seats:
        for plays in (2, 20):
            seats[3].seen("play", plays)
            seats[3].kill()
            seats[3] = party.start(3)
        with seats[3]:
            agree(seats, party.records)
            assert seats[3].all("formed")[0]["resumed"]


def test_a_second_process_on_one_identity_says_so(tmp_path: Path) -> None:
    party = Party(tmp_path, extra=("--open",))
    with party.start(0) as first:
        first.seen("lobby")
        with party.start(0) as second:
            assert second.end() == 3
            assert "already" in second.words or "in use" in second.words
        assert first.process.poll() is None


def test_tables_shows_an_open_table(tmp_path: Path) -> None:
    party = Party(tmp_path, extra=("--open",))
    with party.start(0) as first:
        first.seen("lobby")
        done = command("tables", "--json", "--interface", "127.0.0.1", "--wait", "2")
        ads = [json.loads(line) for line in done.stdout.splitlines()]
        (ad,) = [ad for ad in ads if ad["table"] == party.table]
        assert (ad["game"], ad["free"], ad["state"], ad["name"]) == ("belota", 3, "open", "P0")
        first.process.terminate()
        assert first.end() == 143
    done = command("tables", "--json", "--interface", "127.0.0.1", "--wait", "1.5")
    assert party.table not in done.stdout


def test_refusals_leave_the_table_unharmed(tmp_path: Path) -> None:
    rules = ("--option", "target=301")  # long enough for the fifth to come in time
    party = Party(tmp_path, extra=(*rules, "--open"))
    base = ("--table", party.table, "--interface", "127.0.0.1", "--join", "--wait", "8")
    with party.start(0) as opener:
        opener.seen("lobby")

        def stranger(name: str, home: str, *words: str) -> Peer:
            return Peer(name, (*base, "--data-dir", str(tmp_path / home), *words))

        with stranger("p0", "s1", *rules) as taken:
            assert taken.end() == 3
            assert "name p0 is taken" in taken.words
        with stranger("Q", "s2", "--option", "target=501") as other_rules:
            assert other_rules.end() == 3
            assert "other rules" in other_rules.words
        party.extra = (*rules, "--join")
        with party.start(1) as one, party.start(2) as two, party.start(3) as three:
            one.seen("formed")
            with stranger("Fifth", "s3") as fifth:
                assert fifth.end() == 3
                assert "four play already" in fifth.words or "full" in fifth.words
            agree([opener, one, two, three], party.records)


def test_a_script_that_cannot_be_played_says_where(tmp_path: Path) -> None:
    script = tmp_path / "moves"
    script.write_text("# bids and cards\nnonsense\n")
    party = Party(tmp_path, extra=(*SHORT, "--deadline", "8"))
    with party.playing() as seats:
        seats[0].kill()
    party = Party(tmp_path / "again", extra=(*SHORT, "--deadline", "8", "--wait", "30"))
    party.folder.mkdir()
    with party.start(0) as a, party.start(1) as b, party.start(2) as c:
        party.extra = (*party.extra, "--script", str(script))
        with party.start(3) as scripted:
            assert scripted.end() == 2
            assert f"{script}, line 2: 'nonsense' is not legal now" in scripted.words
            assert {seat.end() for seat in (a, b, c)} == {4}


def _place(seat: Peer, name: str) -> int:
    """A player's place in the roster; the opener is first, the others in order of coming."""
    names: list[str] = seat.all("lobby")[-1]["players"]
    return names.index(name)
