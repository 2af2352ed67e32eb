"""What stands on a terminal after redraws is what was drawn, whatever stood there before."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from prompt_toolkit.application import Application
from prompt_toolkit.data_structures import Point as ScreenPoint
from prompt_toolkit.data_structures import Size
from prompt_toolkit.input import DummyInput
from prompt_toolkit.layout import Layout
from prompt_toolkit.mouse_events import MouseButton, MouseEvent, MouseEventType
from prompt_toolkit.output import DummyOutput
from prompt_toolkit.utils import get_cwidth

from p2pcards.ui.board import Board
from p2pcards.ui.canvas import Canvas, width_of
from p2pcards.ui.intents import Close, Point

WIDTH, HEIGHT = 12, 3
WIDE, ACUTE = "\N{CJK UNIFIED IDEOGRAPH-6F22}", "\N{COMBINING ACUTE ACCENT}"
Draw = tuple[int, int, str, str]

draws = st.lists(
    st.tuples(
        st.integers(-3, WIDTH + 1),
        st.integers(-1, HEIGHT),
        st.text(st.sampled_from(["a", "b", " ", WIDE, ACUTE]), max_size=WIDTH + 2),
        st.sampled_from(["", "bold", "reverse"]),
    ),
    max_size=5,
)


class Terminal(DummyOutput):
    """A terminal of a few cells that does what it is told; what stands behind a wide one is ""."""

    def __init__(self) -> None:
        self.rows = [[" "] * WIDTH for _ in range(HEIGHT)]
        self.x = self.y = 0
        self.written = 0

    def get_size(self) -> Size:
        return Size(rows=HEIGHT, columns=WIDTH)

    def write(self, data: str) -> None:
        for char in data:
            if char in "\r\n":
                self.x, self.y = (0, self.y) if char == "\r" else (self.x, self.y + 1)
                continue
            width = get_cwidth(char)
            if not width:
                at = self.x - 1 if self.rows[self.y][self.x - 1] else self.x - 2
                self.rows[self.y][at] += char
                continue
            self.rows[self.y][self.x : self.x + width] = [char, *[""] * (width - 1)]
            self.x += width
            self.written += 1

    write_raw = write

    def cursor_forward(self, amount: int) -> None:
        self.x += amount

    def cursor_backward(self, amount: int) -> None:
        self.x -= amount

    def cursor_up(self, amount: int) -> None:
        self.y -= amount

    def erase_down(self) -> None:
        self.rows = [[" "] * WIDTH for _ in range(HEIGHT)]

    def erase_end_of_line(self) -> None:
        self.rows[self.y][self.x :] = [" "] * (WIDTH - self.x)

    def text(self) -> list[str]:
        return ["".join(row).rstrip() for row in self.rows]


class Shown:
    """A board on that terminal."""

    def __init__(self) -> None:
        self.canvas = Canvas(WIDTH, HEIGHT)
        self.clicks: list[object] = []
        self.terminal = Terminal()
        board = Board(lambda width, height: self.canvas, self.clicks.append)
        self.app: Application[None] = Application(
            layout=Layout(board), full_screen=True, output=self.terminal, input=DummyInput()
        )

    def draw(self, things: list[Draw]) -> None:
        self.canvas = Canvas(WIDTH, HEIGHT, "dim")
        for thing in things:
            self.canvas.put(*thing)
        self.app.renderer.render(self.app, self.app.layout)


@given(st.lists(draws, min_size=2, max_size=4))
@example([[(0, 0, "aaaa", "bold")], [(0, 0, "aa", "bold"), (9, 0, "b", "bold")]])
@example([[(0, 0, f"a{WIDE}a", "bold")], [(2, 0, "b", "")]])
@example([[(WIDTH - 1, 0, WIDE, "bold")], [(-1, 0, f"{WIDE}a", "")]])
def test_a_terminal_shows_what_was_drawn_last(screens: list[list[Draw]]) -> None:
    shown = Shown()
    for things in screens:
        shown.draw(things)
        assert shown.terminal.text() == shown.canvas.text()


@given(draws)
def test_rows_stay_as_wide_as_the_canvas(things: list[Draw]) -> None:
    canvas = Canvas(WIDTH, HEIGHT)
    for thing in things:
        canvas.put(*thing)
    widths = [sum(width_of(piece.text) for piece in row) for row in canvas.lines()]
    assert widths == [WIDTH] * HEIGHT


def test_half_a_wide_character_is_a_space() -> None:
    canvas = Canvas(WIDTH, 1)
    canvas.put(0, 0, WIDE * 6)
    canvas.put(3, 0, "ab")
    assert canvas.text() == [f"{WIDE} ab {WIDE * 3}"]
    canvas.put(-1, 0, WIDE)
    assert canvas.text() == [f"   ab {WIDE * 3}"]


def test_a_redraw_writes_only_what_changed() -> None:
    shown = Shown()
    shown.draw([(0, 0, "aaa", "bold"), (0, 1, "bbb", "")])
    before = shown.terminal.written
    shown.draw([(0, 0, "aaa", "bold"), (0, 1, "bab", "")])
    assert shown.terminal.written - before == 3
    shown.draw([(0, 0, "aaa", "bold"), (0, 1, "bab", "")])
    assert shown.terminal.written - before == 3


@pytest.mark.parametrize(("x", "clicked"), [(1, None), (2, Close()), (5, Close()), (6, Point(1))])
def test_a_click_finds_what_lies_under_it(x: int, clicked: object) -> None:
    shown = Shown()
    shown.canvas.put(2, 0, f"a{WIDE}a", "", Close())
    shown.canvas.put(6, 0, "b", "", Point(1))
    shown.app.renderer.render(shown.app, shown.app.layout)
    handler = shown.app.renderer.mouse_handlers.mouse_handlers[0][x]
    click = MouseEvent(ScreenPoint(x, 0), MouseEventType.MOUSE_UP, MouseButton.LEFT, frozenset())
    handler(click)
    assert shown.clicks == ([] if clicked is None else [clicked])
