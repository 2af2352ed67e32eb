"""The pages about leaving: one's own, a player's who is gone, all the others', and the end."""

from __future__ import annotations

from p2pcards.protocol.faults import Fault
from p2pcards.ui import happenings as hap
from p2pcards.ui import narration, sheets
from p2pcards.ui.canvas import Text, wrap
from p2pcards.ui.i18n import _, n_
from p2pcards.ui.model import Table
from p2pcards.ui.scorepage import curve
from p2pcards.ui.screen import Screen
from p2pcards.ui.words import BARS


def leave(screen: Screen, width: int) -> tuple[str, Text]:
    """Whether to leave, and what comes of it."""
    text = _("Leave the table? The others wait for you, and may let a bot play your hand. "
             "You can come back with the same table.")  # fmt: skip
    if screen.alone:
        text = _("Leave? The practice ends here; one cannot come back to it.")
    elif screen.place == "lobby":
        text = _("Leave? The table is yours: it closes, and whoever is here must look for another.")
    out: Text = [(line, "") for line in wrap(text, width)]
    if screen.table.brought and not screen.alone:
        bots = _("The bots that you brought go with you, and come back with you: {names}.",
                 names=", ".join(screen.table.brought))  # fmt: skip
        out += [(line, "class:warn") for line in wrap(bots, width)]
    return _("Leave"), [*out, ("", ""), (_("y leaves   n stays"), "class:key")]


def vote(screen: Screen, width: int) -> tuple[str, Text]:
    """Who does not answer, what a vote about it does, and the keys."""
    table = screen.table
    out: Text = []
    for seat in dict.fromkeys((*table.asked_losses, *table.away())):
        name = table.speaker.who(seat)
        reason = table.down.get(seat, "")
        gone = _("{name} does not answer", name=name) + (f": {_(reason)}" if reason else "")
        out += [(line, "class:bad") for line in wrap(gone, width)]
        voted = table.speaker.everyone(tuple(sorted(table.votes.get(seat, ()))))
        if voted:
            out.append((_("votes for the bot: {names}", names=voted), ""))
    if not out:
        return _("Who is here"), [(_("everybody is here"), "")]
    for text in _about_vote(table):
        out += [("", ""), *((line, "class:felt.dim") for line in wrap(text, width))]
    return _("A player is gone"), [*out, ("", ""), (_vote_keys(table), "class:key")]


def _about_vote(table: Table) -> list[str]:
    """What a vote does, and what may be in its way."""
    out = [_("With the votes of all three others the deal key of that seat is put together, and "
             "the public bot plays its hand until the deal ends.")]  # fmt: skip
    if not table.asked_losses:
        return [*out, _("It can be voted about once the time of that seat is up.")]
    bar = table.bar(table.asked_losses[0])
    if bar is not None:
        return [_(BARS[bar]), _("So the game waits; it can be ended, and goes on when all come "
                                "back.")]  # fmt: skip
    if away := table.voters_away():
        out.append(_("The vote must wait, too, for who is not connected: {names}",
                     names=table.speaker.everyone(away)))  # fmt: skip
    return out


def _vote_keys(table: Table) -> str:
    if not table.asked_losses:
        return _("Esc waits on")
    if table.has_voted():
        return _("you have voted; x leaves the table   Esc waits on")
    if not table.can_vote():
        return _("x end the game   Esc wait on")
    return _("v let the bot play   x end the game   Esc wait on")


def left(screen: Screen, width: int) -> tuple[str, Text]:
    """All the others have ended this game for now: who, why, and what can be done."""
    table = screen.table
    out: Text = []
    for seat, reason in sorted(table.parted.items()):
        for told in narration.lines(table.speaker, hap.Left(seat, reason)):
            out += [(line, "class:bad") for line in wrap(told, width)]
    text = _("The game is kept, and goes on when all are back at this table. Wait here, or leave "
             "and come back later.")  # fmt: skip
    out += [("", ""), *((line, "") for line in wrap(text, width))]
    return _("The others have left"), [*out, ("", ""), (_("x leaves   Esc waits"), "class:key")]


def over(screen: Screen, width: int) -> tuple[str, Text]:
    """How the evening ended: result or reason, where the record lies, the last sheet."""
    table = screen.table
    if table.over is None:
        return _("The end"), []
    out: Text = []
    first, *rest = narration.over(table.speaker, table.over)
    for line in wrap(first, width):
        out.append((line, "class:turn" if table.over.ending == "complete" else "class:bad"))
    out += [(piece, "class:talk") for line in table.epilogue for piece in wrap(line, width)]
    fault: Fault | None = table.fault
    if fault is not None:
        who = _("at fault: {name} ({kind}, step {step})", name=table.speaker.who(fault.seat),
                kind=fault.kind.value, step=fault.step)  # fmt: skip
        count = n_("{n} signed envelope is the evidence", "{n} signed envelopes are the evidence",
                   len(fault.evidence))  # fmt: skip
        out += [("", ""), (who, "class:bad"), (count, "")]
    for line in rest:
        out += [(piece, "class:felt.dim") for piece in wrap(line, width)]
    if table.over.transcript and table.over.ending == "complete":
        short = narration.signed(table.over.transcript)
        out += [(line, "class:good") for line in wrap(short, width)]
    if table.state is not None and table.state.sheets:
        head, *lines, last = sheets.table(table.speaker, table.state.sheets[-1], width)
        out += [("", ""), (head, "bold"), *((line, "") for line in lines), (last, "class:turn")]
        out += [("", ""), *curve(screen, width)]
    keys = _("Enter goes on") + (f"   c {_('chat')}" if screen.can_talk() else "")
    return _("The end"), [*out, ("", ""), (keys, "class:key")]
