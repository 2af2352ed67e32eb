"""The rows of the form for a new table and of the settings, and how their values change."""

from __future__ import annotations

from dataclasses import dataclass

from p2pcards.games.options import Choices, Numbers, OptionError
from p2pcards.games.registry import GAMES
from p2pcards.games.rulestext import allowed
from p2pcards.ui import optionwords, settings
from p2pcards.ui.i18n import LANGUAGES, N_, _, choose
from p2pcards.ui.screen import Form, Screen
from p2pcards.ui.settings import LABELS, WORDS

LEVELS = (N_("easy"), N_("normal"), N_("hard"))
"""How the bots' levels are called, for the catalogues."""
THINK = Numbers("", 1, 86400)
"""The seconds that a table may give for a bid or a card."""
THINKS = ("30", "60", "120", "300", "900")


@dataclass(frozen=True, slots=True)
class Row:
    """A row of the form: its key, label, value in words, and what it means.

    ``values`` are those that the arrows offer and ``now`` is the one kept, as they are written;
    ``number`` says which others can be typed.
    """

    key: str
    label: str
    value: str
    meaning: str = ""
    values: tuple[str, ...] = ()
    now: str = ""
    number: Numbers | None = None

    def turned(self, steps: int) -> str:
        """The value so many steps on; from one that is not offered, to its neighbours."""
        if self.now in self.values:
            at = self.values.index(self.now) + steps
        else:
            below = sum(int(value) < int(self.now) for value in self.values)
            at = below + steps - (steps > 0)
        return self.values[at % len(self.values)]


def form_rows(screen: Screen) -> list[Row]:
    """The rows of the form for a new table; the last one opens it."""
    form = screen.form
    game = GAMES[form.game]
    rows = [Row("game", _("game"), game.title, "", tuple(GAMES), form.game)]
    rows += _practice_rows(screen) if form.practise else _table_rows(form)
    for key, spec, default in game.options_type.specs():
        value = form.options.get(key, default)
        shown = optionwords.value_of(key, value) + ("" if value == default else "  *")
        name = optionwords.name_of(key)
        if isinstance(spec, Choices):
            meaning = f"{_(spec.text)} {_(dict(spec.meanings)[value])}"
            rows.append(Row(key, name, shown, meaning, spec.values, value))
        else:
            meaning = f"{_(spec.text)} ({allowed(spec, _)}) {_typed()}"
            rows.append(Row(key, name, shown, meaning, _offered(spec, int(default)), value, spec))
    last = _("sit down with the bots") if form.practise else _("open the table")
    return [*rows, Row("done", "", last)]


def _typed() -> str:
    return _("Type the number, or use the arrows.")


def _practice_rows(screen: Screen) -> list[Row]:
    level = screen.form.level
    meaning = _("how well the three bots play")
    return [Row("level", _("bots"), _(level), meaning, screen.levels, level)]


def _table_rows(form: Form) -> list[Row]:
    meaning = _("drawn by lot, or as people come: first and third against second and fourth")
    partners = {"drawn": _("drawn by lot"), "chosen": _("as people come")}
    think = str(form.think)
    return [
        Row("name", _("name of the table"), form.name, _("Enter changes it")),
        Row("partners", _("partners"), partners[form.partners], meaning, tuple(partners),
            form.partners),
        Row("think", _("time to think"), _("{n} s", n=think), _typed(), THINKS, think, THINK),
    ]  # fmt: skip


def _offered(spec: Numbers, default: int) -> tuple[str, ...]:
    """The values the form offers for a number: all of a few, or steps around the default."""
    if spec.only:
        return tuple(map(str, spec.only))
    if spec.most - spec.least <= 20:
        return tuple(str(n) for n in range(spec.least, spec.most + 1))
    around = (default * k // 10 for k in (2, 3, 5, 7, 10, 15, 20, 30))
    steps = sorted({spec.least, spec.most, *around})
    return tuple(str(n) for n in steps if spec.least <= n <= spec.most)


def settings_rows(screen: Screen) -> list[Row]:
    """The rows of the settings."""
    rows = []
    for key, label in LABELS.items():
        rows.append(Row(key, _(label), setting_text(key, getattr(screen.settings, key))))
    return [*rows, Row("done", "", _("back"))]


def setting_text(key: str, value: object) -> str:
    """A value of a setting in words."""
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    if key == "language" and value:
        return LANGUAGES[str(value)]
    return str(value) if key == "nick" else _(WORDS.get(str(value), str(value)))


# -- changing them ----------------------------------------------------------------------------


def turn(screen: Screen, steps: int) -> None:
    """Change the value of the selected row: to the next or the one before."""
    if screen.place == "settings":
        key = settings_rows(screen)[screen.cursor].key
        if key in settings.VALUES:
            screen.settings = settings.turned(screen.settings, key, steps)
        if key == "language":
            choose(screen.settings.language or None)
        return
    row = form_rows(screen)[screen.cursor]
    if row.values:
        screen.form.put(row.key, row.turned(steps))


def put_typed(screen: Screen, text: str) -> None:
    """Set the selected row to a number that was typed, or say which it may be."""
    row = form_rows(screen)[screen.cursor]
    refusal = put_number(screen.form, row, text)
    if refusal:
        screen.say(refusal, is_bad=True)


def put_number(form: Form, row: Row, text: str) -> str:
    """Set a row to a number that was typed; nothing, or which numbers it may be."""
    if row.number is None:
        return ""
    try:
        value = row.number.parse(row.key, text.lstrip("0") or text)
    except OptionError:
        bounds = allowed(row.number, _)
        return _("{option}: {values}, and not {text}", option=row.label, values=bounds, text=text)
    form.put(row.key, str(value))
    return ""
