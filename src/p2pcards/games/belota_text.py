"""The rules of Belotă in words; every number and every variant comes from the engine's data."""

from __future__ import annotations

from p2pcards.games.belota_cards import PLAIN_RANKS, TRUMP_RANKS
from p2pcards.games.belota_options import BelotaOptions
from p2pcards.games.belota_score import BELOTE, CAPOT_BONUS
from p2pcards.games.belota_state import LAST_TRICK
from p2pcards.games.rulestext import Chapter, Translate, english, numbered, rank_row, table

CARD_POINTS = sum(p for _, p in TRUMP_RANKS) + 3 * sum(p for _, p in PLAIN_RANKS)
ALL_POINTS = CARD_POINTS + LAST_TRICK
CAPOT = ALL_POINTS + CAPOT_BONUS


def chapters(options: BelotaOptions, t: Translate = english) -> tuple[Chapter, ...]:
    """The rules of Belotă as these options make them, through ``t`` in any language."""
    return (
        _table(options, t),
        _cards(t),
        _dealing(t),
        _trump(options, t),
        _playing(options, t),
        _belote(options, t),
        _scoring(options, t),
        _end(options, t),
    )


def _table(options: BelotaOptions, t: Translate) -> Chapter:
    text = (
        t("Four players in two teams; partners sit opposite each other."),
        t(options.meaning("direction")),
        t("The first dealer is drawn by lot; after a deal that was played the next player deals."),
    )
    return Chapter(t("The table"), (" ".join(text),))


def _cards(t: Translate) -> Chapter:
    rows = ((t("Trumps"), rank_row(TRUMP_RANKS, t)), (t("Other suits"), rank_row(PLAIN_RANKS, t)))
    worth = t("All cards together are worth {points} points.", points=CARD_POINTS)
    last = t(
        "The last trick adds {last}, so {points} points are won in each deal.",
        last=LAST_TRICK,
        points=ALL_POINTS,
    )
    return Chapter(
        t("Cards"),
        (
            t(
                "There are 32 cards, from seven to ace in four suits; one suit is trump. From the "
                "highest down, with the points each card is worth in a trick:"
            ),
            table(rows),
            f"{worth} {last}",
        ),
    )


def _dealing(t: Translate) -> Chapter:
    return Chapter(
        t("Dealing"),
        (
            t(
                "The player before the dealer cuts. From the player after the dealer on, "
                "everybody gets three cards and then two; the next card is turned face up."
            ),
            t(
                "Once trump is chosen, the taker gets the turned card, whatever its suit, and two "
                "more; the others get three more. Everybody then holds eight cards."
            ),
        ),
    )


def _trump(options: BelotaOptions, t: Translate) -> Chapter:
    passed = t("If all four pass again, nobody scores.")
    return Chapter(
        t("Choosing trump"),
        (
            t(
                "First round, from the player after the dealer on: take the turned suit as trump, "
                "or pass. Whoever takes first is the taker."
            ),
            t(
                "If all four pass, a second round in the same order: name one of the other three "
                "suits as trump, or pass."
            ),
            f"{passed} {t(options.meaning('all_pass'))}",
        ),
    )


def _duties(options: BelotaOptions, t: Translate) -> tuple[str, ...]:
    """What may be played, one case after the other."""
    return (
        t("The player who leads may play any card."),
        t(
            "If trump was led, play a trump higher than any in the trick if you can, even above "
            "your partner's; otherwise any trump; without trumps, any card."
        ),
        t(
            "If another suit was led and you hold it, play any card of it; you need not beat "
            "anything."
        ),
        t(
            "If you do not hold it and your partner holds the trick with a plain card, play any "
            "card. If your partner holds it with a trump: {meaning}",
            meaning=_lower(t(options.meaning("partner_trump"))),
        ),
        t(
            "If you do not hold it and an opponent holds the trick, play a trump; if there is a "
            "trump in the trick, a higher one. If you have none that high: {meaning} Without "
            "trumps, any card.",
            meaning=_lower(t(options.meaning("undertrump"))),
        ),
    )


def _playing(options: BelotaOptions, t: Translate) -> Chapter:
    return Chapter(
        t("Playing"),
        (
            t(
                "The player after the dealer leads to the first trick, whoever took; whoever wins "
                "a trick leads to the next. The highest trump wins a trick; without trumps, the "
                "highest card of the suit led. What may be played:"
            ),
            numbered(_duties(options, t)),
            t("A partner who has not played to the trick yet does not hold it."),
        ),
    )


def _belote(options: BelotaOptions, t: Translate) -> Chapter:
    text = t(
        "King and queen of trump in one hand are a belote, worth {points} points to the player's "
        "team, whoever wins those tricks. Split between two players they are worth nothing.",
        points=BELOTE,
    )
    return Chapter(t("Belote"), (f"{text} {t(options.meaning('belote_call'))}",))


def _scoring(options: BelotaOptions, t: Translate) -> Chapter:
    tie = t("In a tie: {meaning}", meaning=_lower(t(options.meaning("litige"))))
    if options.litige == "held" and options.belote_counts == "yes":
        meaning = _lower(t(options.meaning("litige_belote")))
        tie += " " + t("A belote of the takers': {meaning}", meaning=meaning)
    cases = (
        t("The takers have more points: each team scores its trick points."),
        t(
            "The takers have fewer: they have lost, and the defenders score all {points}.",
            points=ALL_POINTS,
        ),
        tie,
        t(
            "A team that wins all eight tricks scores {points} and the other team none.",
            points=CAPOT,
        ),
    )
    compared = t("After eight tricks the takers' points are compared with the defenders'.")
    return Chapter(
        t("Scoring a deal"),
        (
            f"{compared} {t(options.meaning('belote_counts'))}",
            numbered(cases),
            t(
                "A belote is scored besides, by the team that held it, even by one that lost; only "
                "the rule for ties may hold it back."
            ),
            t(
                "The pot, if points are in it, goes whole to the takers of the next deal if they "
                "win it, otherwise to its defenders. Another tie adds to it, a deal that everybody "
                "passed leaves it, and the end of a game takes it away."
            ),
            t(options.meaning("rounding")),
        ),
    )


def _end(options: BelotaOptions, t: Translate) -> Chapter:
    series = t("The match is one game.")
    if options.games > 1:
        series = t(
            "The match is a series of up to {games} games; the team that first wins {most} has "
            "won it. Every game begins with no points.",
            games=options.games,
            most=options.games // 2 + 1,
        )
    return Chapter(
        t("The end"),
        (
            t(
                "After each deal: once a team has {target} points or more, the team with the "
                "higher score wins the game, whoever took. With equal scores another deal is "
                "played.",
                target=options.target,
            ),
            series,
            t(
                "After any deal the match also ends if all four ask for it: the team with more "
                "games won, or with equal games more points in the unfinished one, is ahead and "
                "wins."
            ),
        ),
    )


def _lower(sentence: str) -> str:
    """The sentence with a small first letter, to follow a colon."""
    return sentence[0].lower() + sentence[1:]
