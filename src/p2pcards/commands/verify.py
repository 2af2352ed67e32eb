"""``p2pcards verify``: check game records offline, with no secret."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from p2pcards.commands import common
from p2pcards.games.base import TEAM_NAMES
from p2pcards.protocol.record import RecordError, Verdict, read_record, verify_record


def run(args: argparse.Namespace) -> int:
    """Verify each file; 0 when every one is good, else 1."""
    good = True
    for name in args.files:
        values = check_file(Path(name))
        good = good and bool(values["good"])
        if args.json:
            common.out_json(values)
        else:
            common.out(f"{name}: {values['text']}")
    return common.DONE if good else common.UNTRUE


def check_file(path: Path) -> dict[str, Any]:
    """What one file shows, as values with stable keys; ``text`` says it in words."""
    values: dict[str, Any] = {"file": str(path), "good": False}
    try:
        wires, truncated = read_record(path.read_bytes())
    except OSError as exc:
        return {**values, "text": f"cannot be read: {exc.strerror}"}
    except RecordError as exc:
        return {**values, "text": f"NOT VALID: {exc}"}
    verdict = verify_record(wires, truncated)
    values["envelopes"] = verdict.envelopes
    if verdict.problem is not None:
        problem = verdict.problem
        who = "an unknown seat" if problem.seat is None else f"seat {problem.seat}"
        text = f"NOT VALID: envelope {problem.index} ({who}): {problem.text}"
        return {**values, "envelope": problem.index, "seat": problem.seat, "text": text}
    return {**values, **_good(verdict, truncated)}


def _good(verdict: Verdict, truncated: bool) -> dict[str, Any]:
    observer = verdict.observer
    if observer is None:
        return {"good": False, "text": "NOT VALID: the record is empty"}
    state = observer.table.state
    values: dict[str, Any] = {
        "good": not truncated,
        "complete": verdict.complete,
        "truncated": truncated,
        "game": observer.table.game.name,
        "scores": list(state.scores) if state else [0, 0],
        "transcript": observer.transcript.hex(),
        "players": [p.name for p in observer.table.players],
        "bots": sorted(observer.table.bots),
    }
    count = f"{verdict.envelopes} envelopes verified"
    if truncated:
        return {**values, "text": f"TRUNCATED in the middle of an envelope; before it {count}"}
    if not verdict.complete:
        step = observer.step.number
        return {**values, "text": f"valid but unfinished: {count}, up to step {step}"}
    winner = None if state is None or state.winner is None else TEAM_NAMES[state.winner]
    values["winner"] = winner
    score = f"{values['scores'][0]}:{values['scores'][1]}"
    text = f"valid: {values['game']}, {winner or 'nobody'} wins {score}; {count}"
    return {**values, "text": f"{text}; transcript {values['transcript'][:16]}"}
