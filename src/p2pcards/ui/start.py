"""The start screen, the form for a new table, and the settings."""

from __future__ import annotations

from p2pcards.games.registry import title_of
from p2pcards.ui import foot, optionwords
from p2pcards.ui.canvas import Canvas, fit, pad, width_of, wrap
from p2pcards.ui.form import Row, form_rows, settings_rows
from p2pcards.ui.i18n import N_, _, n_
from p2pcards.ui.intents import Do, Point
from p2pcards.ui.screen import Screen, Seen

LOGO = ("┌──┐┌──┐┌──┐┌──┐", "│♠ ││♥ ││♣ ││♦ │", "└──┘└──┘└──┘└──┘")
ENTRIES: tuple[tuple[str, str, str], ...] = (
    ("open", "o", N_("open a table")),
    ("practise", "b", N_("practise with three bots here")),
    ("connect", "a", N_("join at an address")),
    ("watch", "w", N_("watch a table that is played at")),
    ("saved", "s", N_("saved games")),
    ("rules", "r", N_("rules")),
    ("settings", "e", N_("settings")),
    ("quit", "x", N_("quit")),
)


def draw_start(canvas: Canvas, screen: Screen) -> None:
    """Tables on the network, and what else one can do."""
    canvas.fill(0, 0, canvas.width, 1, "class:bar")
    canvas.put(1, 0, "p2pcards", "class:bar.key")
    nick = screen.settings.nick
    canvas.right(canvas.width - 1, 0, fit(f"{nick} · {screen.fingerprint}", canvas.width - 12),
                 "class:bar")  # fmt: skip
    row = 1
    if canvas.height >= 20:
        _draw_logo(canvas)
        row = 5
    if canvas.height > len(ENTRIES) + 4:
        canvas.put(2, row, _("Tables on this network"), "class:title")
        row += 1
    row = _draw_tables(canvas, screen, row)
    row += 1 if canvas.height >= 20 else 0
    for i, (what, key, text) in enumerate(ENTRIES):
        place = len(screen.seen) + i
        chosen = screen.cursor == place
        style = "class:cursor" if chosen else ""
        canvas.put(2, row, "▸ " if chosen else "  ", "class:turn")
        canvas.put(4, row, key, "class:key", Do(what))
        canvas.put(7, row, f" {_(text)} ", style, Do(what))
        row += 1
    _draw_details(canvas, screen, row)
    y = canvas.height - 2
    if screen.line is not None:
        foot.draw_input(canvas, screen, y)
    elif screen.message:
        draw_message(canvas, screen)
    elif screen.notes:
        canvas.put(2, y, fit(screen.notes[-1], canvas.width - 4), "class:warn")
    keys = [("↑ ↓", _("select")), ("Enter", _("go")), ("o", _("open")), ("b", _("practise")),
            ("x", _("quit"))]  # fmt: skip
    foot.draw_keys(canvas, keys if screen.line is None else [("Enter", _("good")),
                                                              ("Esc", _("back"))])  # fmt: skip


def _draw_details(canvas: Canvas, screen: Screen, row: int) -> None:
    """Who sits at the selected table and its own rules, in the room below ``row``."""
    chosen = screen.seen[screen.cursor :][:1] if screen.cursor >= 0 else []
    people = [", ".join((seen.opener, *seen.guests)) for seen in chosen if seen.guests]
    texts = [*people, *(optionwords.change(*one) for seen in chosen for one in seen.changed)]
    end = canvas.height - 2 if screen.line or screen.notes else canvas.height - 1
    lines = wrap(f"{chosen[0].name}: {' · '.join(texts)}", canvas.width - 4) if texts else []
    room = max(0, end - row)
    for i, line in enumerate(lines[:room]):
        is_cut = i == room - 1 and len(lines) > room
        y = end - min(room, len(lines)) + i
        canvas.put(2, y, fit(line + " …", canvas.width - 4) if is_cut else line, "class:turn")


def draw_message(canvas: Canvas, screen: Screen) -> None:
    """The message, whole, in the lines above the keys."""
    lines = wrap(screen.message, canvas.width - 4)[: canvas.height - 3]
    style = "class:bad" if screen.is_bad else "class:turn"
    for i, line in enumerate(lines):
        y = canvas.height - 1 - len(lines) + i
        canvas.fill(0, y, canvas.width, 1, "class:felt")
        canvas.put(2, y, line, style)


def _draw_logo(canvas: Canvas) -> None:
    colours = ("class:suit.s", "class:suit.h", "class:suit.c", "class:suit.d")
    width = 16
    x = (canvas.width - width) // 2
    for y, line in enumerate(LOGO):
        for i, colour in enumerate(colours):
            piece = line[i * 4 : i * 4 + 4]
            canvas.put(x + i * 4, 1 + y, piece, f"class:card {colour if y == 1 else ''}")


def _draw_tables(canvas: Canvas, screen: Screen, row: int) -> int:
    if not screen.seen:
        canvas.put(4, row, _("none yet; looking …"), "class:felt.dim")
        return row + 1
    room = max(1, canvas.height - row - len(ENTRIES) - (3 if canvas.height >= 20 else 2))
    first = max(0, min(screen.cursor, len(screen.seen) - 1) - room + 1)
    last = min(first + room, len(screen.seen)) - 1
    for i, seen in list(enumerate(screen.seen))[first : first + room]:
        chosen = i == screen.cursor
        canvas.put(2, row, "▸ " if chosen else "  ", "class:turn")
        style = "class:cursor" if chosen else ""
        warning = _("OTHER KEY!") if seen.known == "changed" else ""
        text = table_line(seen, canvas.width - 6 - width_of(warning))
        canvas.put(4, row, text, style, Point(i, is_click=True))
        canvas.right(canvas.width - 1, row, warning, "class:bad")
        more = "↑" * (i == first > 0) + "↓" * (i == last < len(screen.seen) - 1)
        canvas.put(0, row, more, "class:key")
        row += 1
    return row


def table_line(seen: Seen, width: int) -> str:
    """One announced table: name, game, seats, opener, rules."""
    game = title_of(seen.game)
    seats = {"open": n_("{n} free seat", "{n} free seats", seen.free), "full": _("full"),
             "playing": _("playing")}.get(seen.state, seen.state)  # fmt: skip
    if seen.state == "mine":
        name = pad(seen.name, 22) if width >= 60 else seen.name
        text = _("being played now: come back, or d forgets it") if seen.is_running else \
            _("unfinished: come back, or d forgets it")  # fmt: skip
        return fit(f"{name} {text} · {seen.opener}", width)
    known = {"same": " ✓", "new": "", "changed": " !"}[seen.known]
    rules = " · " + (_("usual rules") if seen.usual else _("own rules"))
    if seen.known == "changed":
        rules = ""  # the warning beside it is more important
    if not seen.version_fits:
        rules = " · " + _("another version of the program")
    if width < 60:
        return fit(f"{seen.name} · {game} · {seats}", width)
    name = pad(seen.name, 22)
    return fit(f"{name} {pad(game, 8)} {pad(seats, 13)} {seen.opener}{known}{rules}", width)


# -- the form ---------------------------------------------------------------------------------


def draw_form(canvas: Canvas, screen: Screen) -> None:
    """The form: a row for each choice, and below what the selected one means."""
    title = _("Practise with bots") if screen.form.practise else _("A new table")
    rows = form_rows(screen)
    is_last = screen.cursor == len(rows) - 1
    keys = [("↑ ↓", _("select")), ("← →", _("change")),
            ("Enter", _("go") if is_last else _("change")), ("Esc", _("back"))]  # fmt: skip
    _draw_rows(canvas, screen, title, rows, keys)


def draw_settings(canvas: Canvas, screen: Screen) -> None:
    """The settings; every change is kept at once."""
    keys = [("↑ ↓", _("select")), ("← →", _("change")), ("Esc", _("back"))]
    _draw_rows(canvas, screen, _("Settings"), settings_rows(screen), keys)


def _draw_rows(
    canvas: Canvas, screen: Screen, title: str, rows: list[Row], keys: list[tuple[str, str]]
) -> None:
    canvas.fill(0, 0, canvas.width, 1, "class:bar")
    canvas.put(1, 0, title, "class:bar.key")
    labels = min(max(width_of(row.label) for row in rows), canvas.width - 18)
    below = 4 if canvas.height >= 16 else 2
    room = canvas.height - 3 - below
    first = max(0, min(screen.cursor - room + 2, len(rows) - room))
    for i, row in list(enumerate(rows))[first : first + room]:
        chosen = i == screen.cursor
        y = 2 + i - first
        canvas.put(1, y, "▸ " if chosen else "  ", "class:turn")
        canvas.put(3, y, pad(row.label, labels), "bold" if chosen else "", Point(i, is_click=True))
        style = "class:cursor" if chosen else "class:key" if row.key == "done" else ""
        text = f"◂ {row.value} ▸" if chosen and row.values else f" {row.value} "
        canvas.put(4 + labels, y, text, style, Point(i, is_click=True))
    if first > 0:
        canvas.put(canvas.width - 2, 2, "↑", "class:turn")
    if first + room < len(rows):
        canvas.put(canvas.width - 2, 1 + room, "↓", "class:turn")
    chosen_row = rows[max(0, min(screen.cursor, len(rows) - 1))]
    y = canvas.height - 1 - below
    is_cut = labels < width_of(chosen_row.label) or canvas.width - labels - 9 < width_of(
        chosen_row.value
    )
    label = f"{chosen_row.label}: " if chosen_row.label else ""
    whole = f"{label}{chosen_row.value}. " if is_cut else ""
    meaning = whole + chosen_row.meaning
    for i, line in enumerate(wrap(meaning, canvas.width - 6)[:below]):
        canvas.put(3, y + i, line, "class:felt.dim")
    if screen.line is not None:
        foot.draw_input(canvas, screen, canvas.height - 2)
        keys = [("Enter", _("good")), ("Esc", _("back"))]
    elif screen.message:
        draw_message(canvas, screen)
    foot.draw_keys(canvas, keys)
