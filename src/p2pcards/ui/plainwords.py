"""The words of plain mode, which may be written in one's own language or in English."""

from __future__ import annotations

from p2pcards.ui.i18n import N_, _

HELP = (
    N_("a card: 10c, kh, Q♠; a bid: take, pass, or a suit; or the number of a choice"),
    N_("an empty line: what you are asked, once more"),
    N_("{hand}, {trick}, {last}, {score}, {seats}, {time}, {checks}, {log}, {rules}: look"),
    N_("{say} TEXT: talk to the others;  {hint}: ask a bot"),
    N_("{ready}: the game may begin, or not yet;  {quit}: leave the table"),
    N_("{bot}: bring a bot to a free seat;  {dismiss}: send it away again"),
    N_("{partner}: let another guest be your partner, at a table of your own"),
    N_("{vote}, {wait}, {stop}: what becomes of a player who is gone"),
    N_("{end}: ask that the match end after this deal, or take it back"),
)
WORDS = (
    N_("command help"),
    N_("command hand"),
    N_("command trick"),
    N_("command last"),
    N_("command score"),
    N_("command seats"),
    N_("command time"),
    N_("command checks"),
    N_("command log"),
    N_("command rules"),
    N_("command say"),
    N_("command hint"),
    N_("command ready"),
    N_("command bot"),
    N_("command dismiss"),
    N_("command partner"),
    N_("command vote"),
    N_("command wait"),
    N_("command stop"),
    N_("command end"),
    N_("command quit"),
)
"""Each behind the word "command"."""
ALSO = {"exit": "quit"}
"""Other English words for some."""


def words() -> dict[str, str]:
    """The words as they are written in the person's language, by the English ones."""
    return {word.split()[1]: _(word).rpartition(" ")[2] for word in WORDS}


def english(word: str) -> str:
    """The English word for one of the person's language, or for one that means the same."""
    word = word.lower()
    return next((key for key, own in words().items() if own == word), ALSO.get(word, word))


def with_words(text: str, **values: object) -> str:
    """A message with the person's own words where it names some, as in ``{quit}``."""
    own = words()
    return _(text, **{key: own[key] for key in own if f"{{{key}}}" in text}, **values)
