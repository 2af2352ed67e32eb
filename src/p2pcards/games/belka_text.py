"""The rules of Belka in words; every number and every variant comes from the engine's data."""

from __future__ import annotations

from p2pcards.cards import Rank
from p2pcards.games.belka_cards import CARD_POINTS, JACK_POINTS, JACK_SUITS, SUIT_RANKS
from p2pcards.games.belka_options import BelkaOptions
from p2pcards.games.rulestext import (
    Chapter,
    Translate,
    english,
    numbered,
    rank_letter,
    rank_row,
    table,
)

HALF = CARD_POINTS // 2


def chapters(options: BelkaOptions, t: Translate = english) -> tuple[Chapter, ...]:
    """The rules of Belka as these options make them, through ``t`` in any language."""
    return (
        _table(options, t),
        _cards(t),
        _dealing(options, t),
        _trump(options, t),
        _playing(options, t),
        _scoring(options, t),
        _eggs(options, t),
        _end(options, t),
    )


def _table(options: BelkaOptions, t: Translate) -> Chapter:
    text = (
        t("Four players in two teams; partners sit opposite each other."),
        t(options.meaning("direction")),
        t("The first dealer is drawn by lot; after each deal the next player deals."),
    )
    return Chapter(t("The table"), (" ".join(text),))


def _cards(t: Translate) -> Chapter:
    letter = rank_letter(Rank.JACK, t)
    jacks = "  ".join(f"{letter}{suit.symbol} ({JACK_POINTS})" for suit in JACK_SUITS)
    return Chapter(
        t("Cards"),
        (
            t(
                "There are 32 cards, from seven to ace in four suits. The four sixes of a pack of "
                "36 are not played: each team keeps two of them, and uncovers its eyes on them."
            ),
            t(
                "The four jacks are trumps in every deal. They belong to the trump suit alone, "
                "never to the suit printed on them. With the suit that is trump they make eleven "
                "trumps, and the other three suits have seven cards each. From the highest down, "
                "with the points each card is worth in a trick:"
            ),
            table(((t("Jacks"), jacks), (t("Every suit"), rank_row(SUIT_RANKS, t)))),
            t("All cards together are worth {points} points.", points=CARD_POINTS),
        ),
    )


def _dealing(options: BelkaOptions, t: Translate) -> Chapter:
    text = (
        t(
            "The player at the dealer's left cuts. From the player after the dealer on, everybody "
            "gets eight cards, two at a time."
        ),
        t(options.meaning("redeal")),
    )
    return Chapter(t("Dealing"), (" ".join(text),))


def _trump(options: BelkaOptions, t: Translate) -> Chapter:
    first = t(
        "In the first deal of a game clubs are trump. The player who is dealt the J♣ in it "
        "owns clubs; the player at the right owns hearts, the one opposite spades, the one "
        "at the left diamonds."
    )
    later = t(
        "In every later deal whoever is dealt the J♣ says so before the first card is "
        "played, and that player's own suit is trump. The others prove that they do not hold "
        "it, so nobody can keep silent."
    )
    return Chapter(
        t("Trump"),
        (
            f"{first} {t(options.meaning('suits'))}",
            f"{later} {t(options.meaning('announce_first'))}",
        ),
    )


def _playing(options: BelkaOptions, t: Translate) -> Chapter:
    free = t("If you hold nothing of what was led, you need not trump.")
    duties = (
        t("The player who leads may play any card."),
        t("If a trump was led, a jack included, play any trump; you need not beat anything."),
        t("If another suit was led, play any card of it; a jack is no card of it."),
        f"{free} {t(options.meaning('ace_discard'))}",
    )
    winning = t(
        "Whoever wins a trick leads to the next. The highest trump wins a trick; without trumps, "
        "the highest card of the suit led. What may be played:"
    )
    return Chapter(t("Playing"), (f"{t(options.meaning('lead'))} {winning}", numbered(duties)))


def _scoring(options: BelkaOptions, t: Translate) -> Chapter:
    least = CARD_POINTS - options.save
    cases = (
        t(
            "With {least} to {most} points they get one eye: the losers, with {save} or more, are "
            "saved.",
            least=HALF + 1,
            most=least,
            save=options.save,
        ),
        t("With {points} points or more they get two eyes.", points=least + 1),
    )
    return Chapter(
        t("Scoring a deal"),
        (
            t(
                "The team with more than {points} points in its tricks wins the deal, and it alone "
                "gets eyes:",
                points=HALF,
            ),
            numbered(cases),
            t(options.meaning("jack_eye")),
            t(options.meaning("first_deal")),
            f"{t(options.meaning('naked_by'))} {t(options.meaning('naked'))}",
        ),
    )


def _eggs(options: BelkaOptions, t: Translate) -> Chapter:
    after = [
        t(
            "If both teams have {points} points, nobody gets an eye; such a deal is called eggs "
            "(zhumyrtka).",
            points=HALF,
        ),
        t(options.meaning("eggs")),
    ]
    if options.eggs == "four" and options.jack_eye == "on":
        after.append(t(options.meaning("eggs_jack")))
    if options.eggs != "title":
        after.append(t(options.meaning("eggs_again")))
    return Chapter(
        t("Eggs"),
        (
            " ".join(after),
            t(
                "A team that loses a game in which there were eggs has lost it with eggs; that is "
                "a matter of honour and changes no score."
            ),
        ),
    )


def _end(options: BelkaOptions, t: Translate) -> Chapter:
    series = t("The match is one game.")
    if options.games > 1:
        series = t(
            "The match is a series of up to {games} games; the team that first wins {most} has "
            "won it. Every game begins with no eyes, and with a first deal in which clubs are "
            "trump and the suits are given anew.",
            games=options.games,
            most=options.games // 2 + 1,
        )
    return Chapter(
        t("The end"),
        (
            t(
                "The team that first has {target} eyes or more wins the game. A deal without a "
                "winner never ends it.",
                target=options.target,
            ),
            series,
            t(
                "After any deal the match also ends if all four ask for it: the team with more "
                "games won, or with equal games more eyes in the unfinished one, is ahead and wins."
            ),
        ),
    )
