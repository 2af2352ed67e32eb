"""What is on the screen: the same state drawn at every size, as text."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from p2pcards.cards import Card
from p2pcards.games.base import Phase
from p2pcards.games.rulestext import english, options_chapter
from p2pcards.protocol import events
from p2pcards.ui import happenings as hap
from p2pcards.ui import i18n, optionwords, rulespage
from p2pcards.ui.canvas import Canvas, fit, pad, width_of, wrap
from p2pcards.ui.cards import place_hand
from p2pcards.ui.render import render
from p2pcards.ui.screen import Line, Saved, Screen, Seen
from p2pcards.ui.settings import Settings
from p2pcards.ui.start import ENTRIES
from p2pcards.ui.words import Speaker
from tests.ui.scene import NAMES, Scene

SIZES = [(80, 24), (120, 40), (40, 12), (100, 50), (60, 16)]
STAGES = {
    "deck": lambda game: Scene(game).until(lambda s: s.table.state.phase is Phase.PACKET),
    "lead": lambda game: Scene(game, seed=2, me=0).until_play(),
    "follow": lambda game: Scene(game, seed=3).until_play(2, 2),
    "scored": lambda game: Scene(game, seed=5).until(lambda s: bool(s.table.state.sheets)),
}


def drawn(screen: Screen, width: int = 80, height: int = 24) -> str:
    return "\n".join(render(screen, width, height).text())


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("stage", STAGES)
@pytest.mark.parametrize("game", ["belota", "belka"])
def test_every_row_is_as_wide_as_the_screen(game: str, stage: str, size: tuple[int, int]) -> None:
    screen = STAGES[stage](game).screen
    for overlay in ("", "help", "score", "checks", "last", "log", "leave", "rules", "vote"):
        screen.overlay = overlay
        canvas = render(screen, *size)
        widths = {sum(width_of(p.text) for p in row) for row in canvas.lines()}
        assert widths == {size[0]}
        assert len(canvas.lines()) == size[1]


@pytest.mark.parametrize("size", SIZES)
def test_players_trump_and_own_hand_are_seen_at_every_size(size: tuple[int, int]) -> None:
    scene = Scene(seed=3).until_play(2, 2)
    text = drawn(scene.screen, *size)
    state = scene.table.state
    assert state.trump is not None
    for name in NAMES[1:]:
        assert name in text
    assert f"Trump {state.trump.symbol}" in text
    assert "Your turn" in text
    if size < (80, 24):
        for card in scene.table.hands[0]:
            assert str(card) in text


@pytest.mark.parametrize("size", [(40, 12), (60, 20)])
@pytest.mark.parametrize("me", range(4))
@pytest.mark.parametrize("code", i18n.LANGUAGES)
def test_a_small_table_marks_the_partner_and_the_dealer(
    code: str, me: int, size: tuple[int, int]
) -> None:
    i18n.choose(code)
    try:
        scene = Scene(seed=3, me=me).until(lambda s: s.table.state.phase is Phase.PLAY)
        rows = drawn(scene.screen, *size).splitlines()
        assert NAMES[(me + 2) % 4] in rows[2]
        assert i18n._("partner") in rows[2]
        dealer = scene.table.state.dealer
        place = (dealer - me) % 4
        at = {0: rows[6], 2: rows[2], 1: rows[5][: size[0] // 2], 3: rows[5][size[0] // 2 :]}
        assert i18n._("dealer") in at[place]
        assert sum(row.count(i18n._("dealer")) for row in rows[2:7]) == 1
        assert all(width_of(row) <= size[0] for row in rows)
    finally:
        i18n.choose("en")


LONG = ("Bartholomew-Alexander of the Hills", "Christophoros", "Maximiliano 王小明", "K")


@pytest.mark.parametrize("size", [(40, 12), (60, 20), (80, 24)])
@pytest.mark.parametrize("names", [NAMES, LONG, ("Ș" * 32,) * 4])
@pytest.mark.parametrize("code", i18n.LANGUAGES)
def test_a_spectators_top_line_names_both_sides_and_no_seat_is_a_partner(
    code: str, names: tuple[str, ...], size: tuple[int, int]
) -> None:
    i18n.choose(code)
    try:
        scene = Scene(seed=5).until(lambda s: bool(s.table.state.sheets))
        scene.until(lambda s: s.table.state.phase is Phase.PLAY)
        scene.screen.table.speaker = Speaker(names, None)
        assert max(scene.table.state.scores) >= 100
        rows = drawn(scene.screen, *size).splitlines()
        scores = " {} : {} ".format(*scene.table.state.scores)
        shown = re.split(f"{scores}| & ", rows[0])
        assert len(shown) == 4
        for name, cut in zip((names[0], names[2], names[1], names[3]), shown, strict=True):
            end = cut.removesuffix("…").rpartition("  ")[2].strip()
            assert end
            assert name.startswith(end)
        if names is NAMES:
            assert all(name in rows[0] for name in names)
        assert i18n._("partner") not in "\n".join(rows)
    finally:
        i18n.choose("en")


def test_a_spectator_reads_whose_turn_it_is_and_who_sits_below_at_every_size() -> None:
    scene = Scene(seed=3).until_play()
    scene.screen.ask(None)
    scene.screen.table.speaker = Speaker(LONG, None)
    below = drawn(scene.screen, 40, 12).splitlines()[6]
    assert below.startswith(f" {i18n._('{name} to play', name=LONG[0])}"[:38])
    scene.screen.table.speaker = Speaker(("Bartholomew", *LONG[1:]), None)
    for size in ((40, 12), (60, 20), (80, 24)):
        text = drawn(scene.screen, *size)
        assert "Bartholomew to play" in text
        assert "▸ Bart" in text


def test_nothing_at_the_sides_of_a_small_table_lies_on_the_cards() -> None:
    names = tuple(name * 8 for name in NAMES)
    scene = Scene(seed=3).until_play(2, 3)
    scene.tell(hap.Seated(scene.game, names, 0))
    rows = drawn(scene.screen, 40, 12).splitlines()
    for seat, card in scene.table.state.trick.by_seat():
        assert f" {card}" in rows[{1: 4, 2: 3, 3: 4}[seat]]
    assert rows[4].count("…") == 2
    assert re.search(r"… \d .*… \d$", rows[4])


def test_the_hand_in_boxes_shows_ranks_and_suits_in_the_order_held() -> None:
    scene = Scene(seed=3).until_play(2, 2)
    rows = drawn(scene.screen).splitlines()
    ranks = re.findall(r"[│┃] ?(10|[7-9JQKA]) ?[│┃]", rows[17][:53])
    suits = re.findall(r"[│┃] ([♣♦♥♠]) [│┃]", rows[18][:53])
    shown = [Card.parse(rank + suit) for rank, suit in zip(ranks, suits, strict=True)]
    assert shown == scene.screen.hand()
    assert set(shown) == set(scene.table.hands[0])


def test_cards_that_may_not_be_played_have_no_number() -> None:
    scene = Scene(seed=3).until_play(3, 2)
    hand, legal = scene.screen.hand(), scene.screen.legal()
    assert 0 < len(legal) < len(hand)
    row = drawn(scene.screen).splitlines()[20][:53]
    marks = row.split()
    assert marks == [str(i + 1) if c in legal else "·" for i, c in enumerate(hand)]


def test_partners_sit_opposite_and_play_goes_the_tables_way() -> None:
    for direction, left in (("cw", "Bogdan"), ("ccw", "Erzhan")):
        scene = Scene(seed=3, direction=direction).until_play()
        rows = drawn(scene.screen).splitlines()
        assert "Dana" in rows[2]
        assert rows[8].strip(" ▸").startswith(left)


def test_a_finished_trick_lies_until_it_is_swept() -> None:
    scene = Scene(seed=3).until(lambda s: len(s.table.state.tricks) == 1)
    trick = scene.table.state.tricks[0]
    assert trick.winner is not None
    for held, seen in ((True, True), (False, False)):
        scene.screen.held = held
        rows = "\n".join(row[:53] for row in drawn(scene.screen).splitlines()[4:14])
        assert all(str(card) in rows for card in trick.cards) is seen
        assert (f"{NAMES[trick.winner]} takes" in rows) is seen


def test_without_suit_signs_the_screen_is_ascii() -> None:
    scene = Scene(seed=3).until_play(2, 2)
    scene.screen.ascii_only = True
    scene.screen.table.game = scene.game
    text = drawn(scene.screen).replace("Belotă", "")
    log = [line for line in text.splitlines() if not line.isascii()]
    assert all("♣" not in line[:53] for line in log)
    assert "+---+" in text


def test_the_selected_card_is_raised_and_in_brackets() -> None:
    scene = Scene(seed=3).until_play(2, 2)
    scene.screen.cursor = 1
    rows = drawn(scene.screen).splitlines()
    assert "[2]" in rows[20]
    assert rows[15].strip(" │")[:1] in "╭┏"


def test_names_of_any_width_do_not_shift_anything() -> None:
    names = ("王小明王小明王小明王小明", "Ș" * 32, "x", "Ержан")
    scene = Scene(seed=3).until_play(2, 2)
    scene.tell(hap.Seated(scene.game, names, 0))
    for size in SIZES:
        rows = render(scene.screen, *size).lines()
        assert {sum(width_of(p.text) for p in row) for row in rows} == {size[0]}


@pytest.mark.parametrize("size", [(39, 24), (80, 11), (5, 2), (1, 1)])
def test_a_window_that_is_too_small_says_so(size: tuple[int, int]) -> None:
    canvas = render(Scene(seed=3).until_play().screen, *size)
    assert "The" in "".join(canvas.text()) or size[0] < 3


def test_belkas_eyes_are_the_pips_of_two_sixes() -> None:
    scene = Scene("belka", seed=5).until(lambda s: bool(s.table.state.sheets))
    scores = scene.table.state.scores
    text = drawn(scene.screen)
    assert sum(scores) > 0
    for side in (0, 1):
        pips = "●" * scores[side] + "○" * (12 - scores[side])
        assert f"{pips[:6]} {pips[6:]}" in text


def test_what_was_verified_is_counted_on_the_screen() -> None:
    scene = Scene(seed=3).until_play(2, 2)
    played = 8 + len(scene.table.state.trick.cards)
    assert f"deck by all four ✓ · {played} plays proved ✓" in drawn(scene.screen)
    scene.happened(events.SeatLost(1, redeal=False))
    assert f"deck by all but the bot ✓ · {played} plays proved ✓" in drawn(scene.screen)
    scene.screen.overlay = "checks"
    text = drawn(scene.screen)
    assert f"{3 * played} proofs" in text
    assert "shuffle: Ana, Bogdan, Dana, Erzhan" in text


def test_a_seat_that_is_gone_and_one_that_the_bot_plays_are_marked() -> None:
    scene = Scene(seed=3).until_play(1, 0)
    scene.tell(hap.Linked(1, False, "the other side cut the connection"))
    assert "not connected" in drawn(scene.screen)
    scene.tell(hap.LossAsked(1))
    scene.screen.overlay = "vote"
    text = drawn(scene.screen)
    assert "Bogdan does not answer" in text
    assert "cut the connection" in text
    scene.tell(hap.Linked(1, True, ""))
    assert scene.screen.table.asked_losses == []
    scene.happened(events.SeatLost(1, False))
    scene.screen.overlay = ""
    assert "a bot plays" in drawn(scene.screen)
    scene.happened(events.SeatBack(1))
    assert "a bot plays" not in drawn(scene.screen)


def test_who_asked_that_the_match_end_is_marked_until_the_next_score() -> None:
    scene = Scene(seed=5).until(lambda s: bool(s.table.state.sheets))
    scene.happened(events.StopWished((1, 2)))
    assert scene.screen.table.log[-1].text == "asking that the match end: Bogdan, Dana"
    scene.until_play()
    shown = "\n".join(render(scene.screen, 80, 24).text())
    assert shown.count("asks to end") == 2
    small = render(scene.screen, 60, 20).text()
    assert small[-2].strip() == "asking that the match end: Bogdan, Dana"
    scene.until(lambda s: len(s.table.state.sheets) > 1)
    assert scene.screen.table.wish_end == ()


def test_the_lobby_warns_of_a_known_name_with_another_key() -> None:
    people = (
        hap.Person("Ana", "1111 2222 3333 4444", True, "same", True),
        hap.Person("Bogdan", "5555 6666 7777 8888", False, "changed"),
    )
    changed = (("target", "500", "1000"),)
    screen = Screen(place="lobby")
    screen.table.gathering = hap.Gathering(
        "Kitchen", "belota", "Belotă", people, changed, "drawn", 90, True
    )
    for size in SIZES:
        text = drawn(screen, *size)
        assert "WARNING: Bogdan comes with" in text
        assert "5555 6666" in text
    text = drawn(screen)
    assert "a game is played to: 500 (usually 1000)" in text
    assert "90 s for a bid" in text


def test_the_lobby_tells_the_partner_where_partners_are_chosen() -> None:
    screen = Screen(place="lobby")
    people = tuple(hap.Person(n, n, False, is_me=n == "Ana") for n in ("Ana", "Bogdan", "Dana"))
    for is_opener, partners in ((True, "chosen"), (False, "chosen"), (True, "drawn")):
        screen.table.gathering = hap.Gathering(
            "Kitchen", "belota", "Belotă", people, (), partners, 90, is_opener
        )
        text = drawn(screen)
        assert ("your partner is Dana" in text) == (partners == "chosen")
        assert ("change partner" in text) == (is_opener and partners == "chosen")


@pytest.mark.parametrize("partners", ["drawn", "chosen"])
@pytest.mark.parametrize("size", SIZES)
def test_the_lobby_shows_the_newest_talk_beside_troubles_at_every_size(
    size: tuple[int, int], partners: str
) -> None:
    screen = Screen(place="lobby", notes=[f"trouble {i} " + "of the net " * 9 for i in range(30)])
    people = tuple(hap.Person(n, n, False, is_me=n == "Ana") for n in NAMES)
    screen.table.take(hap.Gathering("Den", "belota", "Belotă", people, (), partners, 90, True))
    for i in range(40):
        text = f"line {i}" + " and so on" * (9 if size == (40, 12) else 0)
        screen.table.take(hap.LobbySaid("Bogdan", text, False))
    text = drawn(screen, *size)
    assert "<Bogdan> line 39" in text
    assert "Press Enter" in text
    if size[1] > 20:
        assert "<Bogdan> line 37" in text
        assert "trouble 29" in text
    screen.line = Line("chat", "an answer", 9)
    text = drawn(screen, *size)
    assert "say: an answer" in text
    assert "<Bogdan> line 39" in text


def test_the_start_screen_lists_tables_and_marks_players() -> None:
    screen = Screen(settings=Settings(nick="Ana"))
    screen.seen = [
        Seen("1", "Kitchen", "belota", "Bogdan", "", 2, "open", True, "same"),
        Seen("2", "Porch", "belka", "Dana", "", 0, "playing", False, "changed"),
    ]
    text = drawn(screen)
    assert re.search(r"Kitchen +Belotă +2 free seats +Bogdan ✓ · usual rules", text)
    assert re.search(r"Porch +Belka +playing +Dana ! +OTHER KEY!", text)


def test_the_rules_of_a_selected_table_are_told_below_in_the_room_there_is() -> None:
    screen = Screen(settings=Settings(nick="Ana"))
    changed = (("target", "501", "1001"), ("rounding", "ten", "none"))
    kitchen = Seen("1", "Kitchen", "belota", "Bogdan", "", 2, "open", False, "same")
    screen.seen = [replace(kitchen, changed=changed), replace(kitchen, key="2", name="Porch")]
    screen.enter("start")
    text = drawn(screen)
    rules = "Kitchen: a game is played to: 501 (usually 1001) · rounding: to tens (usually none)"
    assert rules in " ".join(text.split())
    assert "rounding" not in drawn(screen, 40, 12)
    lines = drawn(screen, 40, 20).splitlines()
    assert lines[-3].strip().startswith("Kitchen: a game is played")
    assert lines[-2].endswith("…")
    assert any("x   quit" in line for line in lines)
    screen.cursor = 1
    assert "played to" not in drawn(screen)
    screen.seen.append(replace(kitchen, key="3", name="Den", guests=("Dana", "Erzhan")))
    screen.cursor = 2
    assert drawn(screen, 80, 24).splitlines()[-2].strip() == "Den: Bogdan, Dana, Erzhan"


def test_tables_beyond_the_edge_are_hinted_at() -> None:
    screen = Screen(settings=Settings(nick="Ana"), fingerprint="aa bb")
    screen.seen = [
        Seen(str(i), f"Table {i}", "belota", "Bek", "cc dd", 2, "open", True, "new")
        for i in range(9)
    ]
    screen.cursor = 0
    assert "↓" in drawn(screen, 40, 12).split("o ")[0]
    assert "↑" not in drawn(screen, 40, 12).split("Table 0")[0]
    screen.cursor = 8
    text = drawn(screen, 40, 12)
    assert "Table 8" in text
    assert "↑" in text.split("Table 8")[0]


@pytest.mark.parametrize("size", [(80, 24), (40, 12), (60, 20)])
def test_all_entries_of_the_start_screen_are_seen_with_tables_and_a_long_message(
    size: tuple[int, int],
) -> None:
    screen = Screen(settings=Settings(nick="Ana"))
    screen.seen = [
        Seen(str(i), f"T{i}", "belka", "Dana", "", 2, "open", True, "new") for i in range(20)
    ]
    screen.enter("start")
    rows = render(screen, *size).text()
    assert "▸ T0" in "\n".join(rows)
    for _what, key, text in ENTRIES:
        assert sum(row[4:].startswith(f"{key}   {text}") for row in rows) == 1, text
    screen.say("word " * 20 + "end")
    assert rows != render(screen, *size).text()
    assert "end" in "".join(render(screen, *size).text()[-3:])


def test_the_list_of_saved_games_says_what_is_known_of_each() -> None:
    screen = Screen(settings=Settings(nick="Ana"))
    screen.saved = [
        Saved("/j", 0.0, "mine", "Belka", "Ana, Dana", text="Kitchen"),
        Saved(
            "/a", 0.0, "good", "Belotă", "Ana & Dana against Ion & Petru", "501:310", "/a.p2prec"
        ),
        Saved("/b", 0.0, "bad", text="NOT VALID: envelope 3"),
    ]
    screen.enter("saved")
    screen.cursor = 1
    wide, narrow = (render(screen, *size).text() for size in ((80, 24), (40, 12)))
    assert re.search("▸ 1970-01-01 .*Belotă  501:310  Ana & Dana against.*verified ✓", wide[3])
    assert any("/a.p2prec" in row for row in wide)
    assert re.search("▸ 01-01  Belotă  501:310  Ana.*✓$", narrow[3].rstrip())
    assert "NOT verified" in wide[4]


def test_who_takes_a_trick_is_written_between_the_cards() -> None:
    scene = Scene(seed=3).until(lambda s: len(s.table.state.tricks) == 1)
    scene.screen.held = True
    scene.screen.table.speaker = Speaker(("Wolfeschlegel",) * 4, 0)
    text = "\n".join(render(scene.screen, 80, 24).text()[:16])
    assert len(re.findall("[│┃](?:10|[^ ])[♣♦♥♠] ?[│┃]", text)) == 4
    assert "gel takes" in text


def test_how_to_end_is_the_last_key_of_a_narrow_screen() -> None:
    scene = Scene(seed=3).until_play(2, 2)
    for width in (40, 60):
        assert "? help" in render(scene.screen, width, 20).text()[-1]


def test_a_spectators_sheet_names_both_sides_whole() -> None:
    scene = Scene(seed=5).until(lambda s: bool(s.table.state.sheets))
    scene.screen.table.speaker = Speaker(NAMES, None)
    scene.screen.table.me = None
    scene.screen.overlay = "score"
    text = "\n".join(render(scene.screen, 80, 24).text())
    assert "Ana & Dana : Bogdan & Erzhan" in text


@pytest.mark.parametrize("game", ["belota", "belka"])
def test_nothing_but_letters_is_beyond_ascii_on_a_poor_terminal(game: str) -> None:
    scene = Scene(game, seed=5).until(lambda s: bool(s.table.state.sheets))
    first = Screen(ascii_only=True, seen=[Seen("1", "T", game, "D", "", 2, "open", True, "same")])
    for first.place in ("start", "form", "settings", "saved"):
        assert "\n".join(render(first, 80, 24).text()).isascii(), first.place
    scene.screen.ascii_only = True
    for scene.screen.overlay in ("", "help", "score", "checks", "last", "log", "leave"):
        text = "\n".join(render(scene.screen, 80, 24).text())
        assert not re.search("[─-╿▀-▟←-⇿]", text), text


def test_cards_that_do_not_fit_overlap() -> None:
    hand = [Card(i) for i in (0, 1, 8, 9, 16, 17, 24, 25)]
    columns = place_hand(hand, None, None, 30, 5)
    assert columns == sorted(columns)
    assert columns[-1] + 5 <= 30
    assert place_hand([], None, None, 30, 5) == []


def test_the_canvas_cuts_what_lies_outside_and_counts_wide_characters() -> None:
    canvas = Canvas(6, 2)
    canvas.put(-2, 0, "abcdefghi")
    canvas.put(4, 1, "王王")
    canvas.put(0, 5, "below")
    assert canvas.text() == ["cdefgh", "    王"]
    assert fit("Erzhan", 4) == "Erz…"
    assert pad("王", 3) == "王 "
    assert wrap("a bb ccccccc", 3) == ["a", "bb", "ccc", "ccc", "c"]
    assert wrap("王王王", 1) == ["王", "王", "王"]


def test_rules_keep_their_lists_and_tables_on_a_narrower_page() -> None:
    scene = Scene(seed=3).until_play(1, 0)
    scene.screen.overlay = "rules"
    page = rulespage.rules_page(scene.screen, 72)[1]
    lines = [line for line, _style in page]
    assert max(map(width_of, lines)) <= 72
    ranks = [line for line in lines if "A (11)" in line]
    assert [line.split()[0] for line in ranks] == ["Trumps", "Other"]
    at = lines.index("  2. The takers have fewer: they have lost, and the defenders score")
    assert lines[at + 1].strip() == "all 162."
    assert lines[at + 2].startswith("  3. In a tie")
    game, state = scene.screen.table.game, scene.screen.table.state
    assert game is not None
    assert state is not None
    last = options_chapter(state.options, english, optionwords.IN_WORDS)
    chapters = (*game.chapters(state.options), last)
    whole = "".join(text for one in chapters for text in (one.title, *one.paragraphs))
    assert "".join("".join(lines).split()) == "".join(whole.split())
