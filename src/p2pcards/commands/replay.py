"""``p2pcards replay``: saved games, verified and played again."""

from __future__ import annotations

import argparse
import stat
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from p2pcards.commands import common, verify
from p2pcards.commands.eventjson import as_json, with_names
from p2pcards.commands.face import ascii_only, dress, forgive_output, has_screen
from p2pcards.net.errors import NetError
from p2pcards.net.identity import KEY_FILE, fingerprint, load_or_create
from p2pcards.net.text import NAME_LIMIT, clean
from p2pcards.protocol.events import Event, SeatsDrawn
from p2pcards.protocol.observer import Observer
from p2pcards.protocol.record import RecordError, check_record
from p2pcards.ui import host, narration
from p2pcards.ui import settings as ui_settings
from p2pcards.ui.i18n import _, why
from p2pcards.ui.replay import Reel, curve_lines
from p2pcards.ui.saved import date_text
from p2pcards.ui.signalled import Signalled

if TYPE_CHECKING:
    from p2pcards.net.peer import PeerSettings

FOLDER = "games"
SUFFIX = ".p2prec"


@dataclass(frozen=True, slots=True)
class Tape:
    """A record that was read: its reel, and what ``verify`` says of it.

    ``peers`` are the fingerprints of the players, by seat.
    """

    path: Path
    reel: Reel
    values: dict[str, Any]
    rows: tuple[dict[str, Any], ...]
    peers: tuple[str, ...] = ()

    def seat_of(self, data_dir: Path, nick: str) -> int:
        """The seat of whoever looks, by key or else by name; 0 for one who was not there."""
        with suppress(NetError):
            if (data_dir / KEY_FILE).exists():
                mine = load_or_create(data_dir).fingerprint
                if mine in self.peers:
                    return self.peers.index(mine)
        names = list(self.reel.names)
        return names.index(nick) if nick in names else 0

    @property
    def is_good(self) -> bool:
        """Whether every byte of the record verified."""
        return bool(self.values["good"])


def run(args: argparse.Namespace) -> int:
    """List the saved games, or replay one; the exit status."""
    kept = dress(args)
    forgive_output()
    if args.file is None:
        if args.html:
            return common.fail(common.USAGE, _("--html needs the FILE of one saved game"))
        return _list(args)
    letters = args.ascii or ascii_only()
    tape = read(Path(args.file), ascii_only=letters and not args.html)
    if not tape.reel.stops:
        return common.fail(common.UNTRUE, f"{args.file}: {tape.values['text']}")
    if args.html:
        seat = tape.seat_of(common.data_dir(args), kept.nick)
        return _write_page(tape, Path(args.html), seat, args.json)
    if args.json:
        return _json(tape)
    if not args.plain and has_screen():
        return on_screen(tape, kept, letters, tape.seat_of(common.data_dir(args), kept.nick))
    return in_lines(tape)


def read(path: Path, *, ascii_only: bool = False) -> Tape:
    """Read and verify a record; what verified before the first problem is in the reel."""
    values: dict[str, Any] = {"file": str(path), "good": False}
    reel = Reel(ascii_only=ascii_only)
    rows: list[dict[str, Any]] = []
    peers: list[str] = []

    def told(observer: Observer, event: Event) -> None:
        if isinstance(event, SeatsDrawn):
            seat_players(reel, observer)
            peers[:] = [fingerprint(player.identity) for player in observer.table.players]
        reel.take(event, observer.table.state)
        row = as_json(event)
        if row is not None:
            rows.append(with_names(row, reel.names))

    try:
        verdict = check_record(verify.read_file(path), told)
        values |= verify.values_of(verdict)
    except OSError as exc:
        values["text"] = _("cannot be read: {reason}", reason=exc.strerror)
    except RecordError as exc:
        values["text"] = _("NOT VALID: {reason}", reason=why(exc))
    return Tape(path, reel, values, tuple(rows), tuple(peers))


def seat_players(reel: Reel, observer: Observer) -> None:
    """Tell a reel who sits where, once that is drawn."""
    table = observer.table
    names = tuple(clean(p.name, NAME_LIMIT) or "?" for p in table.players)
    reel.seat(clean(table.roster.terms.name, NAME_LIMIT), table.game, names)


def heading(tape: Tape, *, has_counts: bool = True) -> list[str]:
    """What is replayed and what of it verified, in a few lines."""
    game = tape.reel.game.title if tape.reel.game else ""
    pair, who = tape.reel.speaker.pair, tape.reel.speaker.who
    sides = _("{one} against {two}", one=pair(0), two=pair(1))
    absences = tape.values.get("absences", ())
    notes = (verify.absent_words(who(absence["seat"]), absence) for absence in absences)
    lines = [f"{game}: {sides}", summary(tape, has_counts=has_counts), *notes]
    if not tape.is_good:
        lines.append(_("What follows is the part before it, which verified."))
    return lines


def summary(tape: Tape, *, has_counts: bool = True) -> str:
    """What was verified, in a line; of what does not verify, the words of ``verify``."""
    state, reel = tape.reel.state, tape.reel
    if not tape.is_good or state is None:
        return str(tape.values["text"])
    counted = _("verified here: {plays} plays, {proofs} proofs", plays=reel.plays,
                proofs=reel.proofs)  # fmt: skip
    counts = [counted] if has_counts else []
    if not tape.values["complete"]:
        return "; ".join([f"{_('verified')}, {_('unfinished')}", *counts])
    won = f"{reel.speaker.won(state.winner)} {state.scores[0]}:{state.scores[1]}"
    short = narration.signed(tape.values["transcript"])
    return "; ".join([f"{_('verified')}: {won}", *counts, short])


# -- the faces --------------------------------------------------------------------------------


def _status(tape: Tape) -> int:
    return common.DONE if tape.is_good else common.UNTRUE


def in_lines(tape: Tape) -> int:
    """The whole game line by line; the exit status."""
    for line in heading(tape):
        common.tell(line)
    for stop in tape.reel.stops:
        if stop.kind == "deal":
            common.tell("")
        for line in stop.lines:
            common.tell(line)
    common.tell("")
    for line in curve_lines(tape.reel):
        common.tell(line)
    return _status(tape)


def _json(tape: Tape) -> int:
    """One event a line, between what was verified and what is wrong."""
    common.out_json({"event": "record", **tape.values})
    for row in tape.rows:
        common.out_json(row)
    return _status(tape)


def on_screen(tape: Tape, kept: ui_settings.Settings, letters: bool, seat: int) -> int:
    """The game on the full screen, seen from a seat, until the person ends it; the exit status."""
    from p2pcards.ui.replay_face import ReplayFace
    from p2pcards.ui.replay_view import ReplayView
    from p2pcards.ui.screen import Screen

    letters = letters or kept.suits == "letters"
    screen = Screen(kept, ascii_only=letters)
    view = ReplayView(tape.reel, screen, seat=seat, verdict=summary(tape))
    face = ReplayFace(view)
    shown(face.ended.wait, face, face.leave)
    return _status(tape)


def shown(main: Callable[[], Any], face: Any, leave: Callable[[], None]) -> None:
    """Run a face until its end; a signal's exit status ends the program."""
    try:
        host.run(main, face, leave)
    except Signalled as exc:
        raise SystemExit(exc.status) from None


def _write_page(tape: Tape, path: Path, seat: int, as_json: bool) -> int:
    """The game as a page, seen from a seat; the exit status."""
    from p2pcards.net.store import save_file
    from p2pcards.ui.html import page

    text = page(tape.reel, heading(tape, has_counts=False), tape.is_good, seat)
    try:
        save_file(path.parent, path.name, text.encode())
    except NetError as exc:
        return common.fail(common.USAGE, why(exc))
    common.say(_("written: {path}", path=path))
    if as_json:
        common.out_json({"event": "written", "page": str(path), **tape.values})
    return _status(tape)


# -- the list ---------------------------------------------------------------------------------


def _list(args: argparse.Namespace) -> int:
    """The saved games, newest first, each verified now."""
    folder = common.data_dir(args) / FOLDER
    try:
        found = files(folder)
    except OSError as exc:
        return common.fail(common.USAGE, unreadable(folder, exc))
    if not found:
        common.say(_("no saved games in {folder}; p2pcards play leaves them there", folder=folder))
    for at, path in found:
        values = verify.check_file(path)
        if args.json:
            common.out_json({"saved": int(at), **values})
            continue
        common.out(row(at, values))
        common.out(f"    {clean(str(path), 4096)}")
    return common.DONE


def folder_of(settings: PeerSettings) -> Path:
    """Where a player's saved games are."""
    return settings.record or settings.data_dir / FOLDER


def unreadable(folder: Path, error: OSError) -> str:
    """Why there is no list of saved games."""
    return _("{folder} cannot be read: {reason}", folder=folder, reason=error.strerror)


def files(folder: Path) -> list[tuple[float, Path]]:
    """The saved games in a folder, newest first, with the time of each; raises OSError.

    What is no file, and what cannot be looked at any more, is not among them.
    """
    found = []
    for path in folder.glob(f"*{SUFFIX}"):
        with suppress(OSError):
            status = path.stat()
            if stat.S_ISREG(status.st_mode):
                found.append((status.st_mtime, path))
    return sorted(found, reverse=True)


def sides(values: dict[str, Any]) -> str:
    """Who played against whom in a record that was read."""
    a, b, c, d = values["names"]
    return _("{one} against {two}", one=f"{a} & {c}", two=f"{b} & {d}")


def row(at: float, values: dict[str, Any]) -> str:
    """A saved game in a line: when, which, who, how it stands, and whether it verifies."""
    date = date_text(at)
    if "names" not in values:
        return f"{date}  {values['text']}"
    score = "{}:{}".format(*values["scores"])
    state = _("verified") if values["good"] else _("NOT verified")
    if not values["complete"]:
        state += ", " + _("unfinished")
    return f"{date}  {values['game']}  {sides(values)}  {score}  {state}"
