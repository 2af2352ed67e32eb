"""The rules of Belotă in words; every number and every variant comes from the engine's data."""

from __future__ import annotations

from p2pcards.games.belota_cards import PLAIN_RANKS, TRUMP_RANKS
from p2pcards.games.belota_options import BelotaOptions
from p2pcards.games.belota_score import BELOTE, CAPOT_BONUS
from p2pcards.games.belota_state import LAST_TRICK
from p2pcards.games.rulestext import Chapter, numbered, rank_table

CARD_POINTS = sum(p for _, p in TRUMP_RANKS) + 3 * sum(p for _, p in PLAIN_RANKS)
ALL_POINTS = CARD_POINTS + LAST_TRICK
CAPOT = ALL_POINTS + CAPOT_BONUS


def chapters(options: BelotaOptions) -> tuple[Chapter, ...]:
    """The rules of Belotă as these options make them."""
    return (
        _table(options),
        _cards(),
        _dealing(),
        _trump(options),
        _playing(options),
        _belote(options),
        _scoring(options),
        _end(options),
    )


def _table(options: BelotaOptions) -> Chapter:
    text = (
        "Four players in two teams; partners sit opposite each other. "
        f"{options.meaning('direction')} The first dealer is drawn by lot; after a deal that was "
        "played the next player deals."
    )
    return Chapter("The table", (text,))


def _cards() -> Chapter:
    table = rank_table((("Trumps", TRUMP_RANKS), ("Other suits", PLAIN_RANKS)))
    return Chapter(
        "Cards",
        (
            "There are 32 cards, from seven to ace in four suits; one suit is trump. From the "
            "highest down, with the points each card is worth in a trick:",
            table,
            f"All cards together are worth {CARD_POINTS} points. The last trick adds "
            f"{LAST_TRICK}, so {ALL_POINTS} points are won in each deal.",
        ),
    )


def _dealing() -> Chapter:
    return Chapter(
        "Dealing",
        (
            "The player before the dealer cuts. From the player after the dealer on, everybody "
            "gets three cards and then two; the next card is turned face up.",
            "Once trump is chosen, the taker gets the turned card, whatever its suit, and two "
            "more; the others get three more. Everybody then holds eight cards.",
        ),
    )


def _trump(options: BelotaOptions) -> Chapter:
    return Chapter(
        "Choosing trump",
        (
            "First round, from the player after the dealer on: take the turned suit as trump, or "
            "pass. Whoever takes first is the taker.",
            "If all four pass, a second round in the same order: name one of the other three "
            "suits as trump, or pass.",
            f"If all four pass again, nobody scores. {options.meaning('all_pass')}",
        ),
    )


def _playing(options: BelotaOptions) -> Chapter:
    duties = (
        "The player who leads may play any card.",
        "If trump was led, play a trump higher than any in the trick if you can, even above your "
        "partner's; otherwise any trump; without trumps, any card.",
        "If another suit was led and you hold it, play any card of it; you need not beat anything.",
        "If you do not hold it and your partner holds the trick with a plain card, play any card. "
        f"If your partner holds it with a trump: {_lower(options.meaning('partner_trump'))}",
        "If you do not hold it and an opponent holds the trick, play a trump; if there is a trump "
        f"in the trick, a higher one. If you have none that high: "
        f"{_lower(options.meaning('undertrump'))} Without trumps, any card.",
    )
    return Chapter(
        "Playing",
        (
            "The player after the dealer leads to the first trick, whoever took; whoever wins a "
            "trick leads to the next. The highest trump wins a trick; without trumps, the highest "
            "card of the suit led. What may be played:",
            numbered(duties),
            "A partner who has not played to the trick yet does not hold it.",
        ),
    )


def _belote(options: BelotaOptions) -> Chapter:
    return Chapter(
        "Belote",
        (
            f"King and queen of trump in one hand are a belote, worth {BELOTE} points to the "
            "player's team, whoever wins those tricks. Split between two players they are worth "
            f"nothing. {options.meaning('belote_call')}",
        ),
    )


def _scoring(options: BelotaOptions) -> Chapter:
    tie = f"In a tie: {_lower(options.meaning('litige'))}"
    if options.litige == "held" and options.belote_counts == "yes":
        tie += f" A belote of the takers': {_lower(options.meaning('litige_belote'))}"
    cases = (
        "The takers have more points: each team scores its trick points.",
        f"The takers have fewer: they have lost, and the defenders score all {ALL_POINTS}.",
        tie,
        f"A team that wins all eight tricks scores {CAPOT} and the other team none.",
    )
    return Chapter(
        "Scoring a deal",
        (
            "After eight tricks the takers' points are compared with the defenders'. "
            f"{options.meaning('belote_counts')}",
            numbered(cases),
            "A belote is scored besides, by the team that held it, even by one that lost; only "
            "the rule for ties may hold it back.",
            "The pot, if points are in it, goes whole to the takers of the next deal if they win "
            "it, otherwise to its defenders. Another tie adds to it, a deal that everybody passed "
            "leaves it, and the end of a game takes it away.",
            options.meaning("rounding"),
        ),
    )


def _end(options: BelotaOptions) -> Chapter:
    series = "The match is one game."
    if options.games > 1:
        series = (
            f"The match is a series of up to {options.games} games; the team that first wins "
            f"{options.games // 2 + 1} has won it. Every game begins with no points."
        )
    return Chapter(
        "The end",
        (
            f"After each deal: once a team has {options.target} points or more, the team with the "
            "higher score wins the game, whoever took. With equal scores another deal is played.",
            series,
            "After any deal the match also ends if all four ask for it: the team with more games "
            "won, or with equal games more points in the unfinished one, is ahead and wins.",
        ),
    )


def _lower(sentence: str) -> str:
    """The sentence with a small first letter, to follow a colon."""
    return sentence[0].lower() + sentence[1:]
