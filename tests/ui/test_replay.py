"""Saved games: verified, replayed forwards and backwards, line by line, and as a page."""

from __future__ import annotations

import base64
import hashlib
import json
import os
import re
import shutil
import subprocess
import threading
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output import DummyOutput

from p2pcards.cli import main
from p2pcards.commands.replay import Tape, heading, read
from p2pcards.games.registry import GAMES
from p2pcards.net.identity import load_or_create
from p2pcards.protocol import events
from p2pcards.protocol.envelope import unseal
from p2pcards.protocol.limits import VERSION
from p2pcards.protocol.messages import PlayerInfo, Roster, Terms
from p2pcards.protocol.record import write_record
from p2pcards.ui import host, i18n, settings
from p2pcards.ui.html import page
from p2pcards.ui.replay import HIDDEN, Reel
from p2pcards.ui.replay_face import ReplayFace
from p2pcards.ui.replay_view import ReplayView, render_replay
from p2pcards.ui.table import place_of
from tests.protocol.room import Room, public

HOSTILE = "<script>alert(1)</script>"
NAMES = (HOSTILE, '"><img src=x onerror=alert(2)>', "Costin & Co", "{Daria}")
BROWSER = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))),
               None)  # fmt: skip


@pytest.fixture(scope="module")
def room() -> Room:
    """A match of players with names that no page or format string must believe."""
    players = [PlayerInfo(public(n), n, (f"127.0.0.1:{i + 1000}",)) for i, n in enumerate(NAMES)]
    items = GAMES["belota"].parse_options({"target": "101"}).items()
    terms = Terms(VERSION, bytes(16), "</title>", "belota", items, "chosen", 20, 60)
    room = Room(Roster(terms, (*players,)))  # type: ignore[arg-type]
    room.run()
    assert room.players[0].observer.done
    return room


@pytest.fixture(scope="module")
def record(room: Room, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The record of that match."""
    path = tmp_path_factory.mktemp("saved") / "games" / "game.p2prec"
    path.parent.mkdir()
    path.write_bytes(write_record(room.players[0].observer.record()))
    return path


@pytest.fixture(scope="module")
def tape(record: Path) -> Tape:
    """The record, read and verified."""
    i18n.choose("en")
    return read(record)


def run(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    """A command's exit status and its output."""
    status = main([*words, "--lang", "en"])
    done = capsys.readouterr()
    return status, done.out, done.err


# -- line by line -----------------------------------------------------------------------------


def test_a_replay_tells_the_game_that_the_players_saw(
    room: Room, record: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    status, out, _err = run(capsys, "replay", str(record), "--json")
    assert status == 0
    rows = [json.loads(line) for line in out.splitlines()]
    assert rows[0]["event"] == "record"
    assert rows[0]["transcript"] == room.players[3].observer.transcript.hex()
    seen = [e for e in room.log[3] if isinstance(e, events.CardPlayed)]
    assert [(r["seat"], r["card"]) for r in rows if r["event"] == "play"] == [
        (e.seat, e.card.ascii) for e in seen
    ]
    scored = [e.sheet for e in room.log[3] if isinstance(e, events.DealScored)]
    assert [r["scores"] for r in rows if r["event"] == "score"] == [list(s.scores) for s in scored]


def test_the_plain_replay_has_every_play_and_the_course_of_the_match(
    room: Room, record: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    status, out, _err = run(capsys, "replay", str(record), "--plain", "--data-dir", "/nowhere")
    assert status == 0
    plays = [e for e in room.log[0] if isinstance(e, events.CardPlayed)]
    assert len(re.findall(r"^.* plays \S+", out, re.MULTILINE)) == len(plays) > 0
    sheets = [e.sheet for e in room.log[0] if isinstance(e, events.DealScored)]
    for sheet in sheets:
        assert f"after deal {sheet.deal}: {sheet.scores[0]} to {sheet.scores[1]}" in out


def test_a_changed_record_is_replayed_up_to_the_first_problem(
    record: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = bytearray(record.read_bytes())
    data[len(data) * 24 // 25] ^= 1
    path = tmp_path / "changed.p2prec"
    path.write_bytes(data)
    status, out, _err = run(capsys, "replay", str(path))
    assert status == 1
    _status, words, _err = _verify(capsys, path)
    assert words.partition(": ")[2].strip() in out
    assert "What follows is the part before it, which verified." in out
    whole = run(capsys, "replay", str(record))[1]
    assert 0 < out.count(" plays ") < whole.count(" plays ")


def _verify(capsys: pytest.CaptureFixture[str], path: Path) -> tuple[int, str, str]:
    status = main(["verify", str(path)])
    done = capsys.readouterr()
    return status, done.out, done.err


@pytest.mark.parametrize("data", [b"", b"p2pcards record 1\n", b"%PDF-1.7", None])
def test_what_is_no_record_is_refused_with_the_words_of_verify(
    data: bytes | None, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "none.p2prec"
    if data is not None:
        path.write_bytes(data)
    status, out, err = run(capsys, "replay", str(path))
    assert (status, out) == (1, "")
    assert _verify(capsys, path)[1].strip() in err


def test_the_list_shows_each_game_and_whether_it_verifies(
    room: Room, record: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bad = record.with_name("bad.p2prec")
    bad.write_bytes(record.read_bytes()[:-40])
    try:
        status, out, _err = run(capsys, "replay", "--data-dir", str(record.parent.parent))
    finally:
        bad.unlink()
    assert status == 0
    good, cut = (next(i for i, line in enumerate(out.splitlines()) if name in line)
                 for name in ("/game.p2prec", "/bad.p2prec"))  # fmt: skip
    lines = out.splitlines()
    state = room.players[0].observer.table.the_state()
    assert f"{state.scores[0]}:{state.scores[1]}" in lines[good - 1]
    assert lines[good - 1].endswith("  verified")
    assert "NOT verified" in lines[cut - 1]


def test_an_empty_list_says_where_games_are_kept(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    status, out, err = run(capsys, "replay", "--data-dir", str(tmp_path))
    assert (status, out) == (0, "")
    assert str(tmp_path / "games") in err


# -- the screen -------------------------------------------------------------------------------


def press(view: ReplayView, *keys: str) -> str:
    """Press keys; what is on the screen then."""
    for key in keys:
        assert view.press(key)
    return "\n".join(render_replay(view, 100, 30).text())


def test_one_looks_at_the_game_from_the_own_seat(tape: Tape, tmp_path: Path) -> None:
    names = list(tape.reel.names)
    assert tape.seat_of(tmp_path / "none", "Nobody") == 0
    assert [tape.seat_of(tmp_path / "none", name) for name in names] == [0, 1, 2, 3]
    assert not (tmp_path / "none").exists()
    mine = load_or_create(tmp_path).fingerprint
    of_mine = replace(tape, peers=("a", "b", mine, "d"))
    assert of_mine.seat_of(tmp_path, names[0]) == 2


def test_keys_move_by_card_trick_and_deal_and_back(tape: Tape) -> None:
    view = ReplayView(tape.reel)
    first = press(view)
    assert "Deck" in first or "deck" in first
    plays = [i for i, s in enumerate(tape.reel.stops) if isinstance(s.event, events.CardPlayed)]
    press(view, *["right"] * plays[0])
    assert view.at == plays[0]
    press(view, "down")
    assert view.at == plays[3]
    text = press(view)
    taker = tape.reel.stops[plays[3]].table.state
    assert taker is not None
    assert taker.tricks[0].winner is not None
    assert " takes" in text
    press(view, "up", "up", "left")
    assert view.at == 0
    assert press(view) == first
    press(view, "end")
    assert view.at == len(tape.reel.stops) - 1
    press(view, "home")
    assert view.at == 0
    assert not view.press("q")


def test_keys_move_by_deal() -> None:
    reel = Reel()
    for event in (
        events.DealBegun(1, 0), events.PacketDealt(None), events.DealBegun(1, 0),
        events.PacketDealt(None), events.DeckConfirmed(2), events.DealBegun(2, 1),
    ):  # fmt: skip
        reel.take(event, None)
    view = ReplayView(reel)
    ways = [("pagedown", 2), ("right", 3), ("pageup", 2), ("pageup", 0), ("pageup", 0),
            ("n", 2), ("n", 5), ("n", 5), ("p", 2)]  # fmt: skip
    for key, at in ways:
        press(view, key)
        assert view.at == at, key
    assert reel.sections_of_stops() == [[0, 1], [2, 3, 4], [5]]


def test_every_stop_is_drawn_alike_forwards_and_backwards(tape: Tape) -> None:
    view = ReplayView(tape.reel)
    forwards = [press(view)]
    forwards += [press(view, "right") for _stop in tape.reel.stops[1:]]
    backwards = [press(view)]
    backwards += [press(view, "left") for _stop in tape.reel.stops[1:]]
    assert forwards == backwards[::-1]
    assert len(set(forwards)) == len(forwards)


def test_the_hand_below_is_the_one_that_was_played(tape: Tape, room: Room) -> None:
    view = ReplayView(tape.reel)
    at = next(i for i, s in enumerate(tape.reel.stops) if isinstance(s.event, events.CardPlayed))
    view.show(at - 1)
    for seat in range(4):
        played = [e.card for e in room.log[0] if isinstance(e, events.CardPlayed)
                  and e.seat == seat][:8]  # fmt: skip
        assert view.seat == seat
        assert set(view.screen.hand()) == set(played)
        press(view, "tab")


@pytest.mark.parametrize("size", [(40, 12), (80, 24), (120, 40), (20, 5)])
def test_every_size_is_drawn(tape: Tape, size: tuple[int, int]) -> None:
    view = ReplayView(tape.reel)
    for at in range(0, len(tape.reel.stops), 7):
        view.show(at)
        lines = render_replay(view, *size).text()
        assert len(lines) == size[1]
    view.press("?")
    assert render_replay(view, *size).text()


def test_keys_reach_a_running_replay_and_q_ends_it(tape: Tape) -> None:
    view = ReplayView(tape.reel)
    with create_pipe_input() as keys:
        face = ReplayFace(view, keys, DummyOutput())
        keys.send_text("\x1b[C\x1b[C \x1b[D\tsq")
        host.run(face.ended.wait, face, face.leave)
    assert (view.at, view.seat, view.screen.overlay) == (2, 1, "score")


def test_a_live_view_goes_on_with_the_game_until_one_looks_back() -> None:
    reel = Reel()
    view = ReplayView(reel, live=True, follows=True)
    assert "nothing yet" in press(view)
    for number in (1, 2):
        reel.take(events.DealBegun(number, 0), None)
        view.more()
        assert view.at == number - 1
    assert "live" in press(view)
    press(view, "left")
    reel.take(events.DealBegun(3, 0), None)
    view.more()
    assert view.at == 0
    press(view, "end")
    reel.take(events.DealBegun(4, 0), None)
    view.more()
    assert view.at == 3


def test_the_bar_of_a_replay_makes_room_for_what_was_verified() -> None:
    reel = Reel()
    reel.take(events.DealBegun(1, 0), None)
    view = ReplayView(reel, verdict="verified here: 25 plays, 75 proofs", live=True, follows=True)
    rows = {width: render_replay(view, width, 20).text()[-2].rstrip() for width in (40, 60, 80)}
    assert rows[40].endswith("live  verified here")
    assert rows[60].endswith("█ 1 of 1 · live  verified here: 25 plays, 75 proofs")
    assert rows[80].count("░") + rows[80].count("█") > rows[60].count("█")


# -- the page ---------------------------------------------------------------------------------


class Tags(HTMLParser):
    """The elements, attributes and text of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


@pytest.fixture(scope="module")
def html(tape: Tape) -> str:
    """The page of the match."""
    return page(tape.reel, heading(tape, has_counts=False), tape.is_good)


def test_the_page_fetches_nothing_and_runs_only_its_own_script(html: str) -> None:
    tags = Tags(html).tags
    names = [name for name, _attrs in tags]
    assert names.count("script") == 2
    assert not {"img", "link", "iframe", "object", "base", "form"} & set(names)
    for _name, attrs in tags:
        assert not {"src", "href", "style", "action"} & attrs.keys()
        assert not any(key.startswith("on") for key in attrs)
    policy = next(a["content"] for n, a in tags if n == "meta" and "http-equiv" in a)
    assert policy is not None
    assert policy.startswith("default-src 'none'; ")
    for name in ("script", "style"):
        text = re.search(rf"<{name}>(.*?)</{name}>", html, re.DOTALL)
        assert text is not None
        digest = base64.b64encode(hashlib.sha256(text[1].encode()).digest()).decode()
        assert f"'sha256-{digest}'" in policy


def test_hostile_names_are_shown_and_not_obeyed(html: str) -> None:
    assert HOSTILE not in html
    assert "<img" not in html
    shown = " ".join(Tags(html).texts)
    for name in NAMES:
        assert name in shown


def test_without_javascript_the_page_is_a_list_of_deals(html: str, room: Room) -> None:
    parsed = Tags(html)
    sheets = [e.sheet for e in room.log[0] if isinstance(e, events.DealScored)]
    begun = [e for e in room.log[0] if isinstance(e, events.DealBegun)]
    assert sum(1 for name, _a in parsed.tags if name == "details") == len(begun)
    assert next(a for n, a in parsed.tags if a.get("id") == "viewer").keys() >= {"hidden"}
    plays = [e for e in room.log[0] if isinstance(e, events.CardPlayed)]
    cards = [a for n, a in parsed.tags if n == "span" and (a.get("class") or "").startswith("card")]
    assert len(cards) == 2 * len(plays)  # once in a hand, once in a trick
    shapes = [n for n, a in parsed.tags if n in ("circle", "rect")]
    assert len(shapes) == 2 * len(sheets)
    for sheet in sheets:
        for line in sheet.lines:
            if line.points is not None:
                assert all(f'<td class="number">{p}</td>' in html for p in line.points)


def steps_of(text: str) -> dict[str, Any]:
    """The data of the page's script."""
    found = re.search(r'id="game">(.*?)</script>', text, re.DOTALL)
    assert found is not None
    data: dict[str, Any] = json.loads(found[1])
    return data


@pytest.mark.parametrize("direction", ["cw", "ccw"])
def test_the_page_is_seen_from_the_own_seat_as_the_screen_is(tape: Tape, direction: str) -> None:
    reel = tape.reel
    if direction == "ccw":
        reel = Reel()
        game = GAMES["belka"]
        reel.seat("T", game, ("A", "B", "C", "D"))
        state = game.start(game.parse_options({"direction": "ccw"}), 0)
        reel.take(events.DealBegun(1, 0), state)
    for seat in range(4):
        text = page(reel, ["T", "verified"], True, seat)
        screen = ReplayView(reel, seat=seat).screen
        assert steps_of(text)["places"] == [place_of(screen, each) for each in range(4)]
        assert steps_of(text)["places"][seat] == 0
        score = steps_of(text)["steps"][-1]["score"]
        assert score.startswith(reel.speaker.pair(seat % 2))


def test_every_step_of_the_page_says_something_and_nothing_half(html: str, tape: Tape) -> None:
    steps = steps_of(html)["steps"]
    assert len(steps) == len(tape.reel.stops)
    for step in steps:
        for text in (step["said"], step["deal"], step["score"]):
            assert re.match(r"[^\s·]", text)
        assert not re.match(r"[\s·]|.*·\s*$", step["trump"])
        assert not step["hidden"]
        state_turn = step["turn"]
        assert state_turn is None or step["sizes"][state_turn]
    assert any(step["marks"].count("dealer") == 1 for step in steps)


def test_the_page_tells_once_what_was_proved(tape: Tape, html: str) -> None:
    shown = Tags(html)
    text = " ".join(shown.texts).partition('"steps"')[0]
    assert text.count(f"{tape.reel.proofs} proofs") == 1
    assert text.count(f"{tape.reel.plays} plays") == 1
    assert f"{tape.reel.proofs} proofs" in heading(tape)[1]


def test_the_page_can_be_heard_and_driven_by_keys(html: str) -> None:
    tags = Tags(html).tags
    assert next(a for _n, a in tags if a.get("id") == "said")["aria-live"] == "polite"
    assert next(a for _n, a in tags if a.get("id") == "viewer")["tabindex"] == "0"
    buttons = [a for n, a in tags if n == "button"]
    assert all(a.get("aria-label") or "aria-pressed" in a for a in buttons)
    cards = [a for n, a in tags if n == "span" and (a.get("class") or "").startswith("card ")]
    named = re.compile(r"(7|8|9|10|[JQKA]) (clubs|diamonds|hearts|spades)")
    assert cards
    assert all(a["role"] == "img" and named.fullmatch(a["aria-label"] or "") for a in cards)
    rows = [a for n, a in tags if n == "th" and "scope" not in a]
    assert rows == []


@pytest.fixture(scope="module")
def part(room: Room, tmp_path_factory: pytest.TempPathFactory) -> Tape:
    """The record of a match that stopped in the middle of its last deal."""
    record = room.players[0].observer.record()
    begun = [e for e in room.log[0] if isinstance(e, events.DealBegun)]
    wires, plays = [], 0
    for wire in record:
        plays += unseal(wire).payload.kind == "play"
        wires.append(wire)
        if plays == 32 * (len(begun) - 1) + 10:
            break
    path = tmp_path_factory.mktemp("part") / "part.p2prec"
    path.write_bytes(write_record(wires))
    return read(path)


def test_hands_that_nothing_shows_are_hidden_and_the_reason_is_given(part: Tape) -> None:
    assert part.is_good
    assert not part.values["complete"]
    text = page(part.reel, heading(part, has_counts=False), part.is_good)
    steps, last = steps_of(text)["steps"], part.reel.sections
    for step, stop in zip(steps, part.reel.stops, strict=True):
        assert step["hidden"] == (stop.section == last and bool(step["sizes"][0]))
    visible = text.partition("<script type")[0]
    assert visible.count(HIDDEN) == 2  # under the table, where it may be, and in the last deal
    assert "The cards played" in visible
    for size in ((100, 30), (60, 16)):
        view = ReplayView(part.reel, at=len(part.reel.stops) - 1)
        assert HIDDEN in "\n".join(render_replay(view, *size).text())
        view.show(len(part.reel.stops) - 12 - 32)
        assert HIDDEN not in "\n".join(render_replay(view, *size).text())


def test_players_are_called_by_their_names(tape: Tape) -> None:
    gone = {"seat": 2, "name": "Costin & Co", "deal": 1, "step": 20, "until": None}
    lines = heading(replace(tape, values={**tape.values, "absences": [gone]}))
    assert lines[2] == "Costin & Co: the public bot played from deal 1, step 20 on"


@pytest.mark.skipif(BROWSER is None, reason="no Chromium or Chrome is installed")
def test_a_real_browser_shows_the_table(html: str, tape: Tape, tmp_path: Path) -> None:
    path = tmp_path / "game.html"
    path.write_text(html, encoding="utf-8")
    at = max(i for i, s in enumerate(tape.reel.stops) if s.has_trick)
    dom = _browse(path, at + 1, tmp_path)
    viewer = re.search(r'<section id="viewer"([^>]*)>(.*?)</section>', dom, re.DOTALL)
    assert viewer is not None
    assert "hidden" not in viewer[1]
    felt = Tags(viewer[2])
    in_trick = [a["class"] for n, a in felt.tags if n == "span" and re.search(
        r" p[0-3]\b", a.get("class") or "")]  # fmt: skip
    assert len(in_trick) == 4
    assert sum(1 for css in in_trick if css and css.endswith("won")) == 1
    assert f"{at + 1}/{len(tape.reel.stops)}" in " ".join(felt.texts)
    assert sum(1 for n, _a in Tags(dom).tags if n == "img") == 0
    assert all(name in felt.texts for name in NAMES)


def _browse(path: Path, place: int, folder: Path) -> str:
    """The document as a headless browser has it once its script has run."""
    done = subprocess.run(
        [str(BROWSER), "--headless", "--no-sandbox", "--disable-gpu", "--disable-extensions",
         f"--user-data-dir={folder / 'browser'}", "--dump-dom", f"{path.as_uri()}#{place}"],
        capture_output=True, text=True, timeout=120, check=True,
    )  # fmt: skip
    return done.stdout


def test_the_page_is_written_by_the_command(
    record: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "new" / "page.html"
    status, printed, err = run(capsys, "replay", str(record), "--html", str(out))
    assert (status, printed) == (0, "")
    assert str(out) in err
    assert steps_of(out.read_text())["names"] == list(NAMES)
    settings.save(tmp_path, settings.Settings(nick="Costin & Co"))
    run(capsys, "replay", str(record), "--html", str(out), "--data-dir", str(tmp_path))
    assert steps_of(out.read_text())["places"][2] == 0
    status, _out, err = run(capsys, "replay", str(record), "--html", str(tmp_path))
    assert status == 2
    assert "cannot be written" in err


@pytest.mark.skipif(os.name != "posix", reason="pipes and links as POSIX has them")
def test_the_page_replaces_no_pipe_and_no_link(
    record: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pipe, kept, link = tmp_path / "pipe", tmp_path / "kept.html", tmp_path / "link.html"
    os.mkfifo(pipe)
    link.symlink_to(kept)
    heard: list[bytes] = []
    reader = threading.Thread(target=lambda: heard.append(pipe.read_bytes()))
    reader.start()
    assert run(capsys, "replay", str(record), "--html", str(pipe))[0] == 0
    reader.join(10)
    assert pipe.is_fifo()
    assert run(capsys, "replay", str(record), "--html", str(link))[0] == 0
    assert link.is_symlink()
    assert heard == [kept.read_bytes()]
