"""What a player does line by line besides choosing: leave, talk, be ready, ask for things."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from p2pcards.protocol.choosing import Question
from p2pcards.ui.i18n import N_, _
from p2pcards.ui.model import Table
from p2pcards.ui.plainwords import with_words


class Actions(Protocol):
    """What a player can do besides choosing."""

    def say(self, text: str) -> None:
        """Send a line of talk."""

    def leave(self, reason: str) -> None:
        """Leave the table."""

    def change_partner(self) -> None:
        """Let another guest sit opposite."""

    def bring(self) -> None:
        """Bring a bot to the lobby."""

    def dismiss(self) -> None:
        """Send the bot away that was brought last."""

    def ask_end(self, wish: bool) -> None:
        """Ask that the match end after this deal, or no longer."""

    def hint(self, question: Question) -> str | None:
        """What a bot would do, or None when there is none to ask."""

    def left(self, seat: int) -> float | None:
        """Seconds that a seat has left, or None while no game is played."""


class Deeds:
    """Does what is asked for, or says why not.

    ``is_live`` when somebody types: who leaves where that costs others something is asked first.
    ``alone`` with bots only, to which nobody can come back.
    """

    def __init__(
        self, table: Table, write: Callable[[str], None], actions: Actions,
        *, ready: bool, is_live: bool, alone: bool,
    ) -> None:  # fmt: skip
        self.is_ready = ready
        self.wish_end = False
        self.is_leaving = False
        self.has_left = False
        self._table = table
        self._write = write
        self._actions = actions
        self._is_live = is_live
        self._alone = alone

    def leave(self) -> bool:
        """Leave the table, or ask first whether that is meant; whether it is left."""
        if self._is_live and not self.is_leaving and self._is_needed():
            self.is_leaving = True
            text = _("Leave the table? The others wait for you, and may let a bot play your hand. "
                     "You can come back with the same table.")  # fmt: skip
            if self._table.gathering is not None:
                text = _("Leave the table? It is yours, and the others lose it.")
            elif self._alone:
                text = _("Leave? The practice ends here; one cannot come back to it.")
            self._write(text + " " + with_words(N_("Write {quit} again to leave.")))
            return False
        self.go()
        return True

    def _is_needed(self) -> bool:
        """Whether a game is being played, or others lose a table when this player leaves."""
        lobby = self._table.gathering
        if lobby is None:
            return bool(self._table.name) and self._table.over is None
        if self._alone:
            return False
        return lobby.is_opener and any(p.known != "bot" and not p.is_me for p in lobby.people)

    def go(self) -> None:
        """Leave the table."""
        self.has_left = True
        self._actions.leave(N_("has left"))

    def say(self, text: str) -> None:
        """Send a line of talk."""
        if text:
            self._actions.say(text)
        else:
            self._write(with_words(N_("write {say} and behind it what the others are to read")))

    def ready(self) -> None:
        """Say that the game may begin; somebody who types takes it back by the same word."""
        if self._table.state is not None:
            self._write(_("the match has begun already"))
        elif self.is_ready and self._is_live:
            self.is_ready = False
            self._write(with_words(N_("you are not ready any more; {ready} says that you are")))
        else:
            self.is_ready = True
            self._write(_("you are ready"))

    def partner(self) -> None:
        """Let another guest sit opposite."""
        lobby = self._table.gathering
        if lobby is not None and lobby.can_change_partner:
            self._actions.change_partner()
        else:
            self._write(_("only who opened a table with chosen partners can change them, before "
                          "the game, with two guests or more"))  # fmt: skip

    def end(self) -> None:
        """Ask that the match end after this deal, or no longer."""
        if self._table.state is None:
            self._write(_("the match has not begun"))
            return
        self.wish_end = not self.wish_end
        self._actions.ask_end(self.wish_end)
        if self.wish_end:
            text = N_("the match ends after a deal if all four ask for it; {end} takes it back")
            self._write(with_words(text))
            self._write(_("a bot joins those who ask, one deal later"))
        else:
            self._write(_("you no longer ask that the match end"))

    def hint(self) -> None:
        """Say what a bot would do."""
        question = self._table.question
        hint = self._actions.hint(question) if question else None
        text = _("no hint now; a bot can be asked when it is your turn")
        self._write(_("a bot would choose {choice}", choice=hint) if hint else text)
