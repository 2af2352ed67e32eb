"""``p2pcards verify``: check game records and evidence files offline, with no secret."""

from __future__ import annotations

import argparse
import hashlib
from pathlib import Path
from typing import Any

from p2pcards.commands import common
from p2pcards.files import read_whole
from p2pcards.games.base import TEAM_NAMES
from p2pcards.net.journal import MAX_FILE
from p2pcards.net.text import NAME_LIMIT, clean
from p2pcards.protocol.envelope import Envelope, body_of
from p2pcards.protocol.evidence import EvidenceError, Proof, check_evidence, is_evidence
from p2pcards.protocol.messages import WireError
from p2pcards.protocol.observer import Observer
from p2pcards.protocol.record import Absence, Problem, RecordError, Verdict, check_record
from p2pcards.ui.i18n import _, n_, why
from p2pcards.ui.words import Speaker


def run(args: argparse.Namespace) -> int:
    """Verify each file; 0 when every one is good, else 1."""
    good = True
    for name in args.files:
        values = check_file(Path(name))
        good = good and bool(values["good"])
        if args.json:
            common.out_json(values)
            continue
        common.out(f"{name}: {values['text']}")
        for note in values.get("notes", ()):
            common.out(f"  {note}")
    return common.DONE if good else common.UNTRUE


def read_file(path: Path) -> bytes:
    """The bytes of a record or evidence file, which may come through a pipe; raises OSError."""
    with path.open("rb") as file:
        return read_whole(file, MAX_FILE)


def check_file(path: Path) -> dict[str, Any]:
    """What one file shows, as values with stable keys; ``text`` and ``notes`` say it in words."""
    values: dict[str, Any] = {"file": str(path), "good": False}
    try:
        data = read_file(path)
    except OSError as exc:
        return {**values, "text": _("cannot be read: {reason}", reason=exc.strerror)}
    try:
        if is_evidence(data):
            return {**values, **_proved(check_evidence(data))}
        return {**values, **values_of(check_record(data))}
    except (RecordError, EvidenceError) as exc:
        return {**values, "text": _("NOT VALID: {reason}", reason=why(exc))}


# -- records ----------------------------------------------------------------------------------


def values_of(verdict: Verdict) -> dict[str, Any]:
    """What a record that was read shows, as values; ``text`` says it in words."""
    values: dict[str, Any] = {"envelopes": verdict.envelopes}
    if verdict.problem is not None:
        problem = verdict.problem
        values |= {"envelope": problem.index, "seat": problem.seat, "due": problem.due}
        text = _("NOT VALID: envelope {index} ({where}): {text}", index=problem.index,
                 where=_concerned(verdict.observer, problem), text=problem.text)  # fmt: skip
        return {**values, "text": text}
    if verdict.observer is None:
        cut = _("TRUNCATED in the middle of envelope {index} ({where})", index=0,
                where=_place(_("seat {n}", n=0)))  # fmt: skip
        empty = _("NOT VALID: the record is empty")
        return {**values, "text": cut if verdict.truncated else empty}
    return {**values, **_verified(verdict, verdict.observer)}


def _who(observer: Observer | None, seat: int) -> str:
    if observer is None:
        return _("seat {n}", n=seat)
    return _("seat {n}, {name}", n=seat, name=_name(observer, seat))


def _place(due: str) -> str:
    return _("where that of {who} is due", who=due)


def _name(observer: Observer, seat: int) -> str:
    """A player's name, cleaned: a record may be anybody's."""
    return clean(observer.table.players[seat].name, NAME_LIMIT)


def _concerned(observer: Observer | None, problem: Problem) -> str:
    """Which seat an envelope that does not verify is about, as far as it can be told."""
    due = "" if problem.due is None else _who(observer, problem.due)
    if problem.seat is None:
        return _place(due) if due else _("of an unknown seat")
    if problem.seat == problem.due or not due:
        return _who(observer, problem.seat)
    return f"{_who(observer, problem.seat)}, {_place(due)}"


def _verified(verdict: Verdict, observer: Observer) -> dict[str, Any]:
    state = observer.table.state
    absences = [_absence(observer, absence) for absence in verdict.absences]
    values: dict[str, Any] = {
        "good": verdict.good,
        "complete": verdict.complete,
        "truncated": verdict.truncated,
        "game": observer.table.game.name,
        "winner": None,
        "scores": list(state.scores) if state else [0, 0],
        "transcript": observer.transcript.hex(),
        "names": [_name(observer, seat) for seat in range(4)],
        "bots": sorted(observer.table.bots),
        "absences": absences,
        "notes": [absent_words(_seated(absence), absence) for absence in absences],
    }
    if verdict.complete and not verdict.truncated:
        winner = None if state is None or state.winner is None else TEAM_NAMES[state.winner]
        values["winner"] = winner
    return {**values, "text": _how_far(verdict, observer, values)}


def _how_far(verdict: Verdict, observer: Observer, values: dict[str, Any]) -> str:
    count = n_("{n} envelope verified", "{n} envelopes verified", verdict.envelopes)
    if verdict.truncated:
        index = verdict.envelopes
        cut = _("TRUNCATED in the middle of envelope {index}", index=index)
        if verdict.due is not None:
            cut = _("TRUNCATED in the middle of envelope {index} ({where})", index=index,
                    where=_place(_who(observer, verdict.due)))  # fmt: skip
        return _("{cut}; before it {count}", cut=cut, count=count)
    if not verdict.complete:
        step = observer.step.number
        return _("valid but unfinished: {count}, up to step {step}", count=count, step=step)
    state = observer.table.state
    winner = None if state is None else state.winner
    won = Speaker(tuple(values["names"])).won(winner, values["scores"])
    return _("valid: {game}, {won}; {count}; transcript {hash}", game=values["game"], won=won,
             count=count, hash=values["transcript"][:16])  # fmt: skip


def _absence(observer: Observer, absence: Absence) -> dict[str, Any]:
    name = _name(observer, absence.seat)
    span = {"deal": absence.deal, "step": absence.step, "until": absence.until}
    return {"seat": absence.seat, "name": name, **span}


def _seated(absence: dict[str, Any]) -> str:
    return _("seat {n} ({name})", n=absence["seat"], name=absence["name"])


def absent_words(who: str, absence: dict[str, Any]) -> str:
    """From when to when the public bot played for somebody, in words."""
    deal, step, until = (absence[key] for key in ("deal", "step", "until"))
    if until is None:
        return _("{who}: the public bot played from deal {deal}, step {step} on", who=who,
                 deal=deal, step=step)  # fmt: skip
    return _("{who}: the public bot played from deal {deal}, step {step} to step {until}",
             who=who, deal=deal, step=step, until=until)  # fmt: skip


# -- evidence ---------------------------------------------------------------------------------


def _proved(proof: Proof) -> dict[str, Any]:
    from p2pcards.net.identity import fingerprint

    fault, key, name = proof.fault, fingerprint(proof.identity), clean(proof.name, NAME_LIMIT)
    who = _("seat {n} ({name}, key {key})", n=fault.seat, name=name, key=key)
    signed = [_signed(envelope) for envelope in proof.shown]
    return {
        "good": True,
        "evidence": True,
        "seat": fault.seat,
        "name": name,
        "fingerprint": key,
        "kind": fault.kind.value,
        "step": fault.step,
        "envelopes": proof.history,
        "signed": signed,
        "text": _(
            "proved: {who} broke the protocol at step {step}: {text} [{kind}]; "
            "the {n} envelopes before verified",
            who=who,
            step=fault.step,
            text=fault.text,
            kind=fault.kind.value,
            n=proof.history,
        ),
        "notes": [_signed_words(values) for values in signed],
    }


def _signed(envelope: Envelope) -> dict[str, Any]:
    payload = envelope.payload
    return {
        "seat": payload.sender,
        "step": payload.step,
        "kind": payload.kind,
        "says": _says(envelope),
        "sha256": hashlib.sha256(envelope.wire).hexdigest(),
    }


def _signed_words(values: dict[str, Any]) -> str:
    says = f" ({values['says']})" if values["says"] else ""
    return _("seat {n} signed for step {step}: {what}, SHA-256 {hash}", n=values["seat"],
             step=values["step"], what=f"{values['kind']!r}{says}", hash=values["sha256"],
             )  # fmt: skip


def _says(envelope: Envelope) -> str:
    """The short fields of a body, and how many bytes the long ones have."""
    try:
        body = body_of(envelope.payload)
    except WireError:
        return _("a body that is none of its kind")
    fields = [(name, getattr(body, name)) for name in body.__struct_fields__]
    return ", ".join(f"{name} {_short(value)}" for name, value in fields)


def _short(value: object) -> str:
    if isinstance(value, bytes):
        return value.hex() if len(value) <= 8 else f"{value[:4].hex()}… ({len(value)} bytes)"
    text = repr(value)
    return text if len(text) <= 40 else f"{text[:40]}…"
