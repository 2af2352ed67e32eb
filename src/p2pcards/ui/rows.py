"""What is done with the rows before a game: the tables, saved games, forms and settings."""

from __future__ import annotations

from dataclasses import replace

from p2pcards.bots.levels import USUAL
from p2pcards.ui.editing import open_line
from p2pcards.ui.form import form_rows, settings_rows, turn
from p2pcards.ui.i18n import _
from p2pcards.ui.intents import Command, Effect
from p2pcards.ui.screen import Form, Screen


def join(screen: Screen) -> Effect | None:
    """Join the selected table, or watch it."""
    seen = screen.seen[screen.cursor]
    if seen.state == "full":
        screen.say(_("no seat is free at that table"), is_bad=True)
        return None
    if not seen.version_fits:
        screen.say(_("that table needs another version of this program"), is_bad=True)
        return None
    return Command("watch" if seen.state == "playing" else "join", screen.cursor)


def watch(screen: Screen) -> Effect | None:
    """Watch the selected table, or else the only one that is played at."""
    running = [i for i, seen in enumerate(screen.seen) if seen.state == "playing"]
    if screen.cursor in running:
        return join(screen)
    if len(running) == 1:
        screen.cursor = running[0]
        return join(screen)
    text = _("select a table that is played at") if running else _("no table is played at now")
    screen.say(text, is_bad=True)
    return None


def open_saved(screen: Screen) -> Effect | None:
    """Replay the selected game, or come back to the table that was left."""
    if not screen.saved:
        return None
    saved = screen.saved[screen.cursor]
    if saved.state != "mine":
        return Command("replay", screen.cursor)
    places = [i for i, seen in enumerate(screen.seen) if seen.key == saved.key]
    return Command("join", places[0]) if places else None


# -- forms ------------------------------------------------------------------------------------


def begin_form(screen: Screen, *, practise: bool) -> None:
    """Open the form of a new table, or of a practice."""
    screen.form = new_form(screen, practise=practise)
    screen.enter("form")
    screen.cursor = len(form_rows(screen)) - 1


def new_form(screen: Screen, *, practise: bool) -> Form:
    """The form of a new table, or of a practice; what was chosen last time is chosen again."""
    name = _("{nick}'s table", nick=screen.settings.nick)[:32]
    level = screen.form.level or usual_level(screen.levels)
    options = dict(screen.form.options)
    return replace(screen.form, practise=practise, name=name, level=level, options=options, row=0)


def confirm_form(screen: Screen) -> Effect | None:
    """Open the table or begin the practice, or change what the selected row says."""
    row = form_rows(screen)[screen.cursor]
    if row.key == "done":
        return Command("practise" if screen.form.practise else "open")
    if row.key == "name":
        open_line(screen, "name", screen.form.name)
    else:
        turn(screen, 1)
    return None


def confirm_setting(screen: Screen) -> Effect | None:
    """Change the selected setting, or go back."""
    key = settings_rows(screen)[screen.cursor].key
    if key == "done":
        screen.enter("start")
    elif key == "nick":
        open_line(screen, "nick", screen.settings.nick)
    else:
        turn(screen, 1)
    return None


def usual_level(levels: tuple[str, ...]) -> str:
    """The level of bots one practises with, unless another is set."""
    return USUAL if USUAL in levels else levels[-1]
