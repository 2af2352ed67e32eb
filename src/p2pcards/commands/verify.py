"""``p2pcards verify``: check game records and evidence files offline, with no secret."""

from __future__ import annotations

import argparse
import hashlib
from pathlib import Path
from typing import Any

from p2pcards.commands import common
from p2pcards.games.base import TEAM_NAMES
from p2pcards.net.text import NAME_LIMIT, clean
from p2pcards.protocol.envelope import Envelope, body_of
from p2pcards.protocol.evidence import EvidenceError, Proof, check_evidence, is_evidence
from p2pcards.protocol.messages import WireError
from p2pcards.protocol.observer import Observer
from p2pcards.protocol.record import Absence, Problem, RecordError, Verdict, check_record


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


def check_file(path: Path) -> dict[str, Any]:
    """What one file shows, as values with stable keys; ``text`` and ``notes`` say it in words."""
    values: dict[str, Any] = {"file": str(path), "good": False}
    try:
        data = path.read_bytes()
    except OSError as exc:
        return {**values, "text": f"cannot be read: {exc.strerror}"}
    try:
        if is_evidence(data):
            return {**values, **_proved(check_evidence(data))}
        return {**values, **values_of(check_record(data))}
    except (RecordError, EvidenceError) as exc:
        return {**values, "text": f"NOT VALID: {exc}"}


# -- records ----------------------------------------------------------------------------------


def values_of(verdict: Verdict) -> dict[str, Any]:
    """What a record that was read shows, as values; ``text`` says it in words."""
    values: dict[str, Any] = {"envelopes": verdict.envelopes}
    if verdict.problem is not None:
        problem = verdict.problem
        where = f"envelope {problem.index} ({_concerned(verdict.observer, problem)})"
        values |= {"envelope": problem.index, "seat": problem.seat, "due": problem.due}
        return {**values, "text": f"NOT VALID: {where}: {problem.text}"}
    if verdict.observer is None:
        cut = "TRUNCATED in the middle of envelope 0 (where that of seat 0 is due)"
        return {**values, "text": cut if verdict.truncated else "NOT VALID: the record is empty"}
    return {**values, **_verified(verdict, verdict.observer)}


def _who(observer: Observer | None, seat: int) -> str:
    return f"seat {seat}, {_name(observer, seat)}" if observer else f"seat {seat}"


def _name(observer: Observer, seat: int) -> str:
    """A player's name, cleaned: a record may be anybody's."""
    return clean(observer.table.players[seat].name, NAME_LIMIT)


def _concerned(observer: Observer | None, problem: Problem) -> str:
    """Which seat an envelope that does not verify is about, as far as it can be told."""
    due = "" if problem.due is None else _who(observer, problem.due)
    if problem.seat is None:
        return f"where that of {due} is due" if due else "of an unknown seat"
    if problem.seat == problem.due or not due:
        return _who(observer, problem.seat)
    return f"{_who(observer, problem.seat)}, where that of {due} is due"


def _verified(verdict: Verdict, observer: Observer) -> dict[str, Any]:
    state = observer.table.state
    values: dict[str, Any] = {
        "good": verdict.good,
        "complete": verdict.complete,
        "truncated": verdict.truncated,
        "game": observer.table.game.name,
        "scores": list(state.scores) if state else [0, 0],
        "transcript": observer.transcript.hex(),
        "players": [_name(observer, seat) for seat in range(4)],
        "bots": sorted(observer.table.bots),
        "absences": [_absence(observer, absence) for absence in verdict.absences],
        "notes": [_absent_words(observer, absence) for absence in verdict.absences],
    }
    count = f"{verdict.envelopes} envelopes verified"
    if verdict.truncated:
        due = (
            "" if verdict.due is None else f" (where that of {_who(observer, verdict.due)} is due)"
        )
        text = f"TRUNCATED in the middle of envelope {verdict.envelopes}{due}; before it {count}"
        return {**values, "text": text}
    if not verdict.complete:
        step = observer.step.number
        return {**values, "text": f"valid but unfinished: {count}, up to step {step}"}
    winner = None if state is None or state.winner is None else TEAM_NAMES[state.winner]
    values["winner"] = winner
    score = f"{values['scores'][0]}:{values['scores'][1]}"
    text = f"valid: {values['game']}, {winner or 'nobody'} wins {score}; {count}"
    return {**values, "text": f"{text}; transcript {values['transcript'][:16]}"}


def _absence(observer: Observer, absence: Absence) -> dict[str, Any]:
    name = _name(observer, absence.seat)
    span = {"deal": absence.deal, "step": absence.step, "until": absence.until}
    return {"seat": absence.seat, "name": name, **span}


def _absent_words(observer: Observer, absence: Absence) -> str:
    name = _name(observer, absence.seat)
    until = "on" if absence.until is None else f"to step {absence.until}"
    begin = f"deal {absence.deal}, step {absence.step}"
    return f"seat {absence.seat} ({name}): the public bot played from {begin} {until}"


# -- evidence ---------------------------------------------------------------------------------


def _proved(proof: Proof) -> dict[str, Any]:
    from p2pcards.net.identity import fingerprint

    fault, key, name = proof.fault, fingerprint(proof.identity), clean(proof.name, NAME_LIMIT)
    who = f"seat {fault.seat} ({name}, key {key})"
    signed = [_signed(envelope) for envelope in proof.shown]
    return {
        "good": True,
        "evidence": True,
        "seat": fault.seat,
        "name": name,
        "key": key,
        "kind": fault.kind.value,
        "step": fault.step,
        "envelopes": proof.history,
        "signed": signed,
        "text": f"proved: {who} broke the protocol at step {fault.step}: {fault.text} "
        f"[{fault.kind.value}]; the {proof.history} envelopes before verified",
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
    head = f"seat {values['seat']} signed for step {values['step']}: {values['kind']!r}{says}"
    return f"{head}, SHA-256 {values['sha256']}"


def _says(envelope: Envelope) -> str:
    """The short fields of a body, and how many bytes the long ones have."""
    try:
        body = body_of(envelope.payload)
    except WireError:
        return "a body that is none of its kind"
    fields = [(name, getattr(body, name)) for name in body.__struct_fields__]
    return ", ".join(f"{name} {_short(value)}" for name, value in fields)


def _short(value: object) -> str:
    if isinstance(value, bytes):
        return value.hex() if len(value) <= 8 else f"{value[:4].hex()}… ({len(value)} bytes)"
    text = repr(value)
    return text if len(text) <= 40 else f"{text[:40]}…"
