"""The rules of Belka in words; every number and every variant comes from the engine's data."""

from __future__ import annotations

from p2pcards.cards import Card, Rank
from p2pcards.games.belka_cards import CARD_POINTS, JACK_POINTS, JACK_SUITS, SUIT_RANKS
from p2pcards.games.belka_options import BelkaOptions
from p2pcards.games.rulestext import Chapter, numbered, rank_table

HALF = CARD_POINTS // 2


def chapters(options: BelkaOptions) -> tuple[Chapter, ...]:
    """The rules of Belka as these options make them."""
    return (
        _table(options),
        _cards(),
        _dealing(options),
        _trump(options),
        _playing(options),
        _scoring(options),
        _eggs(options),
        _end(options),
    )


def _table(options: BelkaOptions) -> Chapter:
    text = (
        "Four players in two teams; partners sit opposite each other. "
        f"{options.meaning('direction')} The first dealer is drawn by lot; after each deal the "
        "next player deals."
    )
    return Chapter("The table", (text,))


def _cards() -> Chapter:
    jacks = "  ".join(f"{Card.of(Rank.JACK, suit)} ({JACK_POINTS})" for suit in JACK_SUITS)
    return Chapter(
        "Cards",
        (
            "There are 32 cards, from seven to ace in four suits. The four sixes of a pack of 36 "
            "are not played: each team keeps two of them, and uncovers its eyes on them.",
            "The four jacks are trumps in every deal. They belong to the trump suit alone, never "
            "to the suit printed on them. With the suit that is trump they make eleven trumps, "
            "and the other three suits have seven cards each. From the highest down, with the "
            "points each card is worth in a trick:",
            f"  Jacks       {jacks}\n" + rank_table((("Every suit", SUIT_RANKS),)),
            f"All cards together are worth {CARD_POINTS} points.",
        ),
    )


def _dealing(options: BelkaOptions) -> Chapter:
    text = (
        "The player at the dealer's left cuts. From the player after the dealer on, everybody "
        f"gets eight cards, two at a time. {options.meaning('redeal')}"
    )
    return Chapter("Dealing", (text,))


def _trump(options: BelkaOptions) -> Chapter:
    return Chapter(
        "Trump",
        (
            "In the first deal of a game clubs are trump. The player who is dealt the J♣ in it "
            "owns clubs; the player at the right owns hearts, the one opposite spades, the one "
            f"at the left diamonds. {options.meaning('suits')}",
            "In every later deal whoever is dealt the J♣ says so before the first card is "
            "played, and that player's own suit is trump. The others prove that they do not hold "
            f"it, so nobody can keep silent. {options.meaning('announce_first')}",
        ),
    )


def _playing(options: BelkaOptions) -> Chapter:
    duties = (
        "The player who leads may play any card.",
        "If a trump was led, a jack included, play any trump; you need not beat anything.",
        "If another suit was led, play any card of it; a jack is no card of it.",
        "If you hold nothing of what was led, you need not trump. "
        f"{options.meaning('ace_discard')}",
    )
    return Chapter(
        "Playing",
        (
            f"{options.meaning('lead')} Whoever wins a trick leads to the next. The highest trump "
            "wins a trick; without trumps, the highest card of the suit led. What may be played:",
            numbered(duties),
        ),
    )


def _scoring(options: BelkaOptions) -> Chapter:
    least = CARD_POINTS - options.save
    cases = (
        f"With {HALF + 1} to {least} points they get one eye: the losers, with {options.save} or "
        "more, are saved.",
        f"With {least + 1} points or more they get two eyes.",
    )
    return Chapter(
        "Scoring a deal",
        (
            f"The team with more than {HALF} points in its tricks wins the deal, and it alone "
            "gets eyes:",
            numbered(cases),
            options.meaning("jack_eye"),
            options.meaning("first_deal"),
            f"{options.meaning('naked_by')} {options.meaning('naked')}",
        ),
    )


def _eggs(options: BelkaOptions) -> Chapter:
    after = [options.meaning("eggs")]
    if options.eggs == "four" and options.jack_eye == "on":
        after.append(options.meaning("eggs_jack"))
    if options.eggs != "title":
        after.append(options.meaning("eggs_again"))
    return Chapter(
        "Eggs",
        (
            f"If both teams have {HALF} points, nobody gets an eye; such a deal is called eggs "
            f"(zhumyrtka). {' '.join(after)}",
            "A team that loses a game in which there were eggs has lost it with eggs; that is a "
            "matter of honour and changes no score.",
        ),
    )


def _end(options: BelkaOptions) -> Chapter:
    series = "The match is one game."
    if options.games > 1:
        series = (
            f"The match is a series of up to {options.games} games; the team that first wins "
            f"{options.games // 2 + 1} has won it. Every game begins with no eyes, and with a "
            "first deal in which clubs are trump and the suits are given anew."
        )
    return Chapter(
        "The end",
        (
            f"The team that first has {options.target} eyes or more wins the game. A deal without "
            "a winner never ends it.",
            series,
            "After any deal the match also ends if all four ask for it: the team with more games "
            "won, or with equal games more eyes in the unfinished one, is ahead and wins.",
        ),
    )
