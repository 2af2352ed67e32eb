"""The form for a new table and the settings, row by row of the full screen's, line by line."""

from __future__ import annotations

from pathlib import Path

from p2pcards.commands import common
from p2pcards.commands.asking import Asking, Back
from p2pcards.games.options import Choices, Numbers
from p2pcards.games.registry import GAMES
from p2pcards.games.rulestext import allowed
from p2pcards.net.text import NAME_LIMIT, clean
from p2pcards.ui import form, i18n, optionwords
from p2pcards.ui import settings as ui_settings
from p2pcards.ui.form import Row
from p2pcards.ui.i18n import _
from p2pcards.ui.rulespage import rules_in
from p2pcards.ui.screen import Form, Screen

MEANT = ("nick", "language", "suits", "bell", "auto")
"""The settings that mean something where nothing is drawn."""


class FormLines:
    """Asks for a new table, or for a practice with bots."""

    def __init__(self, screen: Screen, asking: Asking) -> None:
        self._screen = screen
        self._asking = asking

    @property
    def _form(self) -> Form:
        return self._screen.form

    def fill(self) -> None:
        """Let the person change the rows until the table is to be opened; raises Back."""
        title = _("Practise with bots") if self._form.practise else _("A new table")
        while True:
            rows = [row for row in form.form_rows(self._screen) if row.key != "done"]
            last = form.form_rows(self._screen)[-1].value
            texts = [self._said(row) for row in rows]
            texts += [_("the rules of this table"), last, _("back")]
            head = f"{title}. " + _("A number changes a line and tells what it means.")
            place = self._asking.pick(head, texts, _("an empty line: {what}", what=last))
            if place is None or place == len(rows) + 1:
                return
            if place > len(rows) + 1:
                raise Back
            try:
                if place == len(rows):
                    self._rules()
                else:
                    self._change(rows[place])
            except Back:
                continue

    def _said(self, row: Row) -> str:
        """A row with its value, and the usual one where that is another."""
        specs = {key: default for key, _spec, default in self._specs()}
        if row.key not in specs:
            return f"{row.label}: {row.value}"
        value = self._form.options.get(row.key, specs[row.key])
        if value == specs[row.key]:
            return optionwords.both(row.key, value)
        return optionwords.change(row.key, value, specs[row.key])

    def _specs(self) -> tuple[tuple[str, Choices | Numbers, str], ...]:
        return GAMES[self._form.game].options_type.specs()

    def _rules(self) -> None:
        game = GAMES[self._form.game]
        options = game.parse_options(self._form.options)
        common.tell(rules_in(common.columns(), game, options).rstrip())

    def _change(self, row: Row) -> None:
        """Ask for another value of a row."""
        for key, spec, default in self._specs():
            if key == row.key:
                self._option(row, spec, default)
                return
        if row.key == "name":
            name = clean(self._asking.text(_("name of the table")), NAME_LIMIT)
            self._form.put("name", name or self._form.name)
        elif row.number is not None:
            self._number(row, row.label)
        else:
            names = [_value_name(row.key, value) for value in row.values]
            head = f"{row.label}. {row.meaning}".rstrip(". ")
            self._form.put(row.key, row.values[self._asking.one_of(head, names)])

    def _option(self, row: Row, spec: Choices | Numbers, default: str) -> None:
        usual = _("usually {value}", value=optionwords.value_of(row.key, default))
        head = f"{row.label}. {_(spec.text)} ({usual})"
        if isinstance(spec, Choices):
            texts = [f"{optionwords.value_of(row.key, value)}: {_(meaning)}"
                     for value, meaning in spec.meanings]  # fmt: skip
            self._form.put(row.key, spec.values[self._asking.one_of(head, texts)])
            return
        self._number(row, head)

    def _number(self, row: Row, head: str) -> None:
        """Ask for a number until it is one that may be."""
        common.tell(head)
        bounds = allowed(row.number, _) if row.number is not None else ""
        about = _("a number: {bounds}; an empty line goes back", bounds=bounds)
        while text := self._asking.text(about):
            refusal = form.put_number(self._form, row, text)
            if not refusal:
                return
            common.tell(refusal)


def _value_name(key: str, value: str) -> str:
    """A value of the form that is no option, in words."""
    if key == "game":
        return GAMES[value].title
    return {"drawn": _("drawn by lot"), "chosen": _("as people come")}.get(value, _(value))


class SettingsLines:
    """Asks what to set once and for all, and keeps it in ``folder``."""

    def __init__(self, screen: Screen, asking: Asking, folder: Path) -> None:
        self._screen = screen
        self._asking = asking
        self._folder = folder

    def change(self) -> None:
        """Let the person change settings until it is enough."""
        while True:
            rows = [row for row in form.settings_rows(self._screen) if row.key in MEANT]
            texts = [f"{row.label}: {row.value}" for row in rows]
            head = f"{_('Settings')}. " + _("A number changes a line.")
            row = rows[self._asking.one_of(head, texts)]
            try:
                self._set(row)
            except Back:
                continue
            self.keep()

    def nick(self, about: str) -> None:
        """Ask for a nickname; an empty line changes nothing."""
        while nick := clean(self._asking.text(about), NAME_LIMIT):
            if any(char.isalnum() for char in nick):
                self._screen.settings = ui_settings.with_nick(self._screen.settings, nick)
                return
            common.tell(_("a nickname has at least one letter or digit"))

    def keep(self) -> None:
        """Write the settings down as they are now."""
        if not ui_settings.save(self._folder, self._screen.settings):
            common.tell(_("the settings cannot be saved: they last until you leave"))

    def _set(self, row: Row) -> None:
        if row.key == "nick":
            self.nick(_("your name at the table; an empty line keeps {name}", name=row.value))
            return
        values = ui_settings.VALUES[row.key]
        place = self._asking.one_of(row.label, [form.setting_text(row.key, v) for v in values])
        now = values.index(getattr(self._screen.settings, row.key))
        self._screen.settings = ui_settings.turned(self._screen.settings, row.key, place - now)
        if row.key == "language":
            i18n.choose(self._screen.settings.language or None)
