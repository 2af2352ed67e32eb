"""Belka once more, in plain loops over plain strings, sharing no code with the engine.

It is slow and literal on purpose: each function says the rule in the words of the rules, and is
what the engine's answers are compared with.
"""

from __future__ import annotations

TRUMPS_BELOW_JACKS = ["7", "8", "9", "Q", "K", "10", "A"]
JACKS = ["Jd", "Jh", "Js", "Jc"]
VALUE = {"A": 11, "10": 10, "K": 4, "Q": 3, "J": 2, "9": 0, "8": 0, "7": 0}
DECK = [rank + suit for suit in "cdhs" for rank in ["7", "8", "9", "10", "J", "Q", "K", "A"]]


def is_trump(card: str, trump: str) -> bool:
    """Every jack is one, and every card of the trump suit."""
    return card in JACKS or card[-1] == trump


def trumps_in_order(trump: str) -> list[str]:
    """The eleven trumps from the lowest to the highest."""
    return [rank + trump for rank in TRUMPS_BELOW_JACKS] + JACKS


def holder(trick: list[str], trump: str) -> int:
    """The place in the trick of the card that holds it."""
    trumps = [card for card in trick if is_trump(card, trump)]
    if trumps:
        return trick.index(max(trumps, key=trumps_in_order(trump).index))
    of_led_suit = [card for card in trick if card[-1] == trick[0][-1]]
    return trick.index(max(of_led_suit, key=lambda card: TRUMPS_BELOW_JACKS.index(card[:-1])))


def value(cards: list[str]) -> int:
    """The points of some cards."""
    total = 0
    for card in cards:
        total += VALUE[card[:-1]]
    return total


def follows(card: str, led: str, trump: str) -> bool:
    """Whether a card follows the card that was led."""
    if is_trump(led, trump):
        return is_trump(card, trump)
    return card[-1] == led[-1] and card not in JACKS


def legal(
    hand: list[str], trick: list[str], trump: str, ace_discard: str = "free", leads: str = ""
) -> list[str]:
    """The cards of a hand that may be played; ``leads`` are the cards led to earlier tricks."""
    if not trick:
        return list(hand)
    following = [card for card in hand if follows(card, trick[0], trump)]
    if following:
        return following
    if ace_discard == "free":
        return list(hand)
    seen = ["trump" if is_trump(c, trump) else c[-1] for c in [*leads.split(), trick[0]]]
    kept = [c for c in hand if c[:-1] == "A" and c[-1] != trump and c[-1] not in seen]
    return [card for card in hand if card not in kept] or list(hand)


def lines(
    hands: list[list[str]], trick: list[str], turn: int, depth: int, rules: tuple[str, str, str]
) -> int:
    """How many sequences of legal plays of this length there are, within one or more tricks.

    ``rules`` are trump, the option for aces, and the cards led so far but for this trick's.
    """
    if depth == 0:
        return 1
    trump, ace_discard, leads = rules
    count = 0
    for card in legal(hands[turn], trick, trump, ace_discard, leads):
        rest = [[c for c in hand if c != card] for hand in hands]
        now = [*trick, card]
        if len(now) == 4:
            winner = (turn - 3 + holder(now, trump)) % 4
            more = (trump, ace_discard, f"{leads} {now[0]}")
            count += lines(rest, [], winner, depth - 1, more)
        else:
            count += lines(rest, now, (turn + 1) % 4, depth - 1, rules)
    return count


def count_deal(plays: list[str], leader: int, trump: str) -> tuple[list[int], list[int], list[int]]:
    """The winner of each trick, and tricks and points of both teams."""
    winners: list[int] = []
    tricks, points = [0, 0], [0, 0]
    for i in range(0, len(plays), 4):
        trick = plays[i : i + 4]
        leader = (leader + holder(trick, trump)) % 4
        winners.append(leader)
        tricks[leader % 2] += 1
        points[leader % 2] += value(trick)
    return winners, tricks, points


def hands_of(deck: list[str], dealer: int) -> list[list[str]]:
    """The four hands: two cards at a time from the seat after the dealer on."""
    hands: list[list[str]] = [[], [], [], []]
    seat = (dealer + 1) % 4
    for i in range(0, 32, 2):
        hands[seat] += deck[i : i + 2]
        seat = (seat + 1) % 4
    return hands


def own_suit(direction: str, clubs: int, seat: int) -> str:
    """The suit of a seat, by where it sits as seen from the owner of clubs."""
    right, left = (1, 3) if direction == "ccw" else (3, 1)
    if seat == clubs:
        return "c"
    if seat == (clubs + right) % 4:
        return "h"
    if seat == (clubs + left) % 4:
        return "d"
    return "s"


def first_leader(lead: str, dealer: int, announced: int | None) -> int:
    """Who leads to the first trick; ``announced`` holds the jack of clubs for all to know."""
    if lead == "previous":
        return (dealer - 1) % 4
    if lead == "jack" and announced is not None:
        return announced
    return (dealer + 1) % 4


def score(
    options: dict[str, str],
    is_first: bool,
    tricks: list[int],
    points: list[int],
    jack: int,
    waiting: int,
) -> tuple[list[int], int, int | None]:
    """What both teams get, the eggs that wait afterwards, and who won the game by a naked deal.

    ``jack`` is the team that was dealt the jack of clubs, ``waiting`` how many tied deals have
    not been followed by a won one yet.
    """
    if points == [60, 60]:
        return [0, 0], waiting + 1, None
    best = 0 if points[0] > 60 else 1
    naked = tricks[best] == 8 or (points[best] == 120 and options["naked_by"] == "points")
    if naked and options["naked"] == "game":
        return [0, 0], 0, best
    bonus = 1 if jack != best and options["jack_eye"] == "on" else 0
    if is_first and options["first_deal"] == "two":
        eyes = 2
    elif points[1 - best] >= int(options["save"]):
        eyes = 1 + bonus
    else:
        eyes = 2 + bonus
    for n in range(waiting):
        if n == 0 and options["eggs"] == "four":
            eyes = 4 + (bonus if options["eggs_jack"] == "on" else 0)
        elif n > 0 and options["eggs_again"] == "keep":
            break
        elif options["eggs"] == "four":
            eyes += 4
        elif options["eggs"] == "plus_two":
            eyes += 2
        elif options["eggs"] == "double":
            eyes = eyes * (n + 2) // (n + 1)
    if naked:
        eyes = max(eyes, 4)
    return ([eyes, 0] if best == 0 else [0, eyes]), 0, None
