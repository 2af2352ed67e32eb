"""The lobby line by line: who is here, how to tell that they are who they say, what is played."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from p2pcards.ui import optionwords
from p2pcards.ui.happenings import Gathering, Person
from p2pcards.ui.i18n import N_, _, n_
from p2pcards.ui.plainwords import with_words


def greet(now: Gathering, before: Gathering | None, write: Callable[[str], None]) -> None:
    """Write down what a lobby shows that it did not before."""
    if before is None:
        for line in terms(now):
            write(line)
    old = {p.name: p.ready for p in before.people} if before else {}
    here = {person.name for person in now.people}
    for person in now.people:
        # Whoever comes takes back everybody's word, which is soon given again: no news.
        is_news = len(now.people) == 4 and not person.is_me and person.name in old
        if is_news and person.ready != old[person.name] and old.keys() == here:
            write(_readiness(person))
        if person.name not in old and not person.is_me:
            for line in _introduced(person):
                write(line)
    partner = now.partner()
    if partner is not None and now.pairs_us(before):
        write(_("your partner is {name}", name=partner.name))


def has_news(now: Gathering, before: Gathering) -> bool:
    """Whether a lobby is worth its line: others are here, or now all are ready."""
    return _gist(now) != _gist(before)


def _gist(lobby: Gathering) -> tuple[tuple[str, ...], bool]:
    people = lobby.people
    return tuple(p.name for p in people), len(people) == 4 and all(p.ready for p in people)


def _readiness(person: Person) -> str:
    text = N_("{name} is ready") if person.ready else N_("{name} is not ready any more")
    return _(text, name=person.name)


def terms(lobby: Gathering) -> Iterator[str]:
    """Partners, the time to think, and every option that is not the usual."""
    drawn = lobby.partners == "drawn"
    partners = _("partners are drawn by lot") if drawn else _("partners: 1 and 3 against 2 and 4")
    yield f"{partners}; " + _("{n} s for a bid or a card", n=lobby.think)
    if not lobby.changed:
        yield _("the usual rules")
    for key, value, default in lobby.changed:
        yield _("rule: {option}", option=optionwords.change(key, value, default))


def _introduced(person: Person) -> Iterator[str]:
    yield "  " + _("{name}: {known}, fingerprint {fingerprint}", name=person.name,
                   known=_known(person), fingerprint=person.fingerprint)  # fmt: skip
    if person.known == "changed":
        yield warning(person.name)


def warning(name: str) -> str:
    """That somebody comes with another key than before."""
    return _("WARNING: {name} comes with another key than before. Compare the "
             "fingerprints aloud before you play.", name=name)  # fmt: skip


def _known(person: Person) -> str:
    if person.is_me:
        return _("you")
    return {"new": _("new here"), "same": _("known"), "changed": _("OTHER KEY"),
            "bot": _("a bot")}[person.known]  # fmt: skip


def people(lobby: Gathering) -> Iterator[str]:
    """Every seat of the lobby in order, and what the table waits for."""
    for place in range(4):
        if place >= len(lobby.people):
            yield f"{place + 1}  " + _("free seat")
            continue
        person = lobby.people[place]
        ready = _("ready") if person.ready else _("not ready")
        yield f"{place + 1}  " + _("{name}: {ready}, {known}, fingerprint {fingerprint}",
                                   name=person.name, ready=ready, known=_known(person),
                                   fingerprint=person.fingerprint)  # fmt: skip
        if person.known == "changed":
            yield warning(person.name)
    yield _awaited(lobby)


def _awaited(lobby: Gathering) -> str:
    missing = [person.name for person in lobby.people if not person.ready]
    if any(person.is_me and not person.ready for person in lobby.people):
        return with_words(N_("write {ready} when you want to play"))
    if len(lobby.people) < 4:
        free = 4 - len(lobby.people)
        return n_("waiting for {n} more player", "waiting for {n} more players", free)
    if missing:
        return _("waiting for {names}", names=", ".join(missing))
    return _("everybody is ready")
