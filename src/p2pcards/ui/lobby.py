"""The lobby: who is here, how to tell that they are who they say, and by which rules they play."""

from __future__ import annotations

from collections.abc import Iterable

from p2pcards.ui import foot, optionwords
from p2pcards.ui.canvas import Canvas, fit, pad, width_of, wrap
from p2pcards.ui.happenings import Gathering, Person
from p2pcards.ui.i18n import _, n_
from p2pcards.ui.intents import Do
from p2pcards.ui.screen import Screen


def draw_lobby(canvas: Canvas, screen: Screen) -> None:
    """The whole lobby, from 40 columns and 12 rows on."""
    lobby = screen.table.gathering
    canvas.fill(0, 0, canvas.width, 1, "class:bar")
    if lobby is None:
        canvas.put(1, 0, _("Looking for the table …"), "class:bar")
        for i, note in enumerate(screen.notes[-(canvas.height - 5) :]):
            canvas.put(2, 2 + i, fit(_(note), canvas.width - 4), "class:warn")
        foot.draw_keys(canvas, [("x", _("back"))])
        return
    head = f"{lobby.table} · {lobby.title} · " + n_("{n} of 4 is here", "{n} of 4 are here",
                                                     len(lobby.people))  # fmt: skip
    canvas.put(1, 0, fit(head, canvas.width - 2), "class:bar.key")
    row = _draw_people(canvas, screen, lobby, 2)
    gap = canvas.height > 16
    row = _draw_terms(canvas, lobby, row + gap)
    canvas.fill(0, canvas.height - 2, canvas.width, 2, "class:felt")
    _draw_talk(canvas, screen, row + gap)
    if screen.line is not None:
        foot.draw_input(canvas, screen, canvas.height - 2)
    else:
        _draw_wait(canvas, screen, lobby)
    foot.draw_keys(canvas, lobby_keys(screen, lobby))


def lobby_keys(screen: Screen, lobby: Gathering) -> list[tuple[str, str]]:
    """The keys that are of use now."""
    if screen.line is not None:
        return [("Enter", _("send")), ("Esc", _("back"))]
    ready = _("not ready") if screen.is_ready else _("ready")
    keys = [("Enter", ready)]
    if len(lobby.people) < 4:
        keys.append(("b", _("add a bot")))
    if screen.table.brought:
        keys.append(("-", _("remove it")))
    if lobby.can_change_partner:
        keys.append(("p", _("change partner")))
    if len(lobby.people) > 1:
        keys.append(("c", _("chat")))
    return [*keys, ("r", _("rules")), ("?", _("help")), ("x", _("leave"))]


def _draw_people(canvas: Canvas, screen: Screen, lobby: Gathering, row: int) -> int:
    wide = canvas.width >= 64
    for place in range(4):
        person = lobby.people[place] if place < len(lobby.people) else None
        if person is None:
            canvas.put(2, row, f"{place + 1}  " + _("free seat"), "class:felt.dim")
            row += 1
            continue
        mark, style = (
            ("✓ " + _("ready"), "class:good") if person.ready else ("… ", "class:felt.dim")
        )
        canvas.put(2, row, f"{place + 1}  ", "class:felt.dim")
        name = pad(person.name, 20 if wide else 14)
        canvas.put(5, row, name, "class:turn" if person.is_me else "bold")
        if wide:
            canvas.put(26, row, pad(person.fingerprint, 20), "")
            canvas.put(47, row, _known(person), _known_style(person))
        elif canvas.width >= 56:
            canvas.put(20, row, person.fingerprint, "")
            known = fit(_known(person), canvas.width - 42 - width_of(mark))
            canvas.put(40, row, known, _known_style(person))
        else:
            canvas.put(20, row, person.fingerprint[:9], "")
        canvas.right(canvas.width - 2, row, mark, style)
        row += 1
        if person.known == "changed":
            warning = _("WARNING: {name} comes with another key than before! Compare the "
                        "fingerprints aloud before you play.", name=person.name)  # fmt: skip
            for line in wrap(warning, canvas.width - 8):
                canvas.put(5, row, line, "class:bad")
                row += 1
    return row


def _known(person: Person) -> str:
    if person.is_me:
        return _("you")
    words = {"new": _("new here"), "same": _("known"), "changed": _("OTHER KEY"), "bot": ""}
    return words[person.known]


def _known_style(person: Person) -> str:
    if person.is_me:
        return "class:turn"
    return {"new": "class:warn", "changed": "class:bad"}.get(person.known, "class:good")


def _draw_terms(canvas: Canvas, lobby: Gathering, row: int) -> int:
    """Partners, time to think, and every option that is not the usual."""
    drawn = lobby.partners == "drawn"
    partner = lobby.partner()
    partners = _("partners are drawn by lot") if drawn else _("partners: 1 and 3 against 2 and 4")
    if partner is not None:
        partners += "; " + _("your partner is {name}", name=partner.name)
    think = _("{n} s for a bid or a card", n=lobby.think)
    for text in wrap(f"{partners}; {think}", canvas.width - 4):
        canvas.put(2, row, text, "")
        row += 1
    if not lobby.changed:
        canvas.put(2, row, _("the usual rules"), "class:good")
        return row + 1
    changes = (optionwords.change(*changed) for changed in lobby.changed)
    lines = [line for text in changes for line in wrap(text, canvas.width - 6)]
    room = max(0, canvas.height - 5 - row)
    head = _("options that differ from the usual:")
    if len(lines) > room:
        head = _("other rules than usual: r shows all")
    canvas.put(2, row, fit(head, canvas.width - 4), "class:warn")
    row += 1
    for line in lines[:room]:
        canvas.put(4, row, line, "bold")
        row += 1
    return row


def _draw_talk(canvas: Canvas, screen: Screen, row: int) -> None:
    """The last troubles and lines of talk; where not all fit, talk has half of the rows."""
    room = canvas.height - 2 - row
    if room < 1:
        row, room = 1, 1  # the free row between the head and the people
    said = (line.text for line in screen.table.log if line.kind == "talk")
    talk = _wrapped(canvas, said, room)
    notes = _wrapped(canvas, map(_, screen.notes), room)
    notes = _last(notes, room - min(len(talk), (room + 1) // 2))
    for line in notes:
        canvas.put(2, row, line, "class:warn")
        row += 1
    for line in _last(talk, room - len(notes)):
        canvas.put(2, row, line, "class:talk")
        row += 1


def _wrapped(canvas: Canvas, texts: Iterable[str], room: int) -> list[str]:
    """Each text in as many rows as it takes; in one, where a second would push the first out."""
    width = canvas.width - 4
    return [ln for text in texts for ln in (wrap(text, width) if room > 2 else [fit(text, width)])]


def _last(lines: list[str], count: int) -> list[str]:
    return lines[len(lines) - min(count, len(lines)) :]


def _draw_wait(canvas: Canvas, screen: Screen, lobby: Gathering) -> None:
    """The line above the keys: what the table waits for."""
    y = canvas.height - 2
    missing = [p.name for p in lobby.people if not p.ready]
    if screen.message:
        text, style = screen.message, "class:bad" if screen.is_bad else "class:turn"
    elif not screen.is_ready:
        text, style = _("Press Enter when you want to play"), "class:turn"
    elif len(lobby.people) < 4:
        free = 4 - len(lobby.people)
        text = n_("waiting for {n} more player", "waiting for {n} more players", free)
        style = "class:felt.dim"
    elif missing:
        text, style = _("waiting for {names}", names=", ".join(missing)), "class:felt.dim"
    else:
        text, style = _("everybody is ready"), "class:good"
    canvas.fill(0, y, canvas.width, 1, "class:felt")
    canvas.put(2, y, fit(text, canvas.width - 4), style, Do("ready"))
