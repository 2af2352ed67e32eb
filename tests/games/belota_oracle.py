"""Belotă once more, in plain loops over plain strings, sharing no code with the engine.

It is slow and literal on purpose: each function says the rule in the words of the rules, and is
what the engine's answers are compared with.
"""

from __future__ import annotations

from collections.abc import Iterator

TRUMP_ORDER = ["7", "8", "Q", "K", "10", "A", "9", "J"]
PLAIN_ORDER = ["7", "8", "9", "J", "Q", "K", "10", "A"]
TRUMP_POINTS = {"J": 20, "9": 14, "A": 11, "10": 10, "K": 4, "Q": 3, "8": 0, "7": 0}
PLAIN_POINTS = {"J": 2, "9": 0, "A": 11, "10": 10, "K": 4, "Q": 3, "8": 0, "7": 0}
DECK = [rank + suit for suit in "cdhs" for rank in ["7", "8", "9", "10", "J", "Q", "K", "A"]]


def beats(new: str, old: str, trump: str) -> bool:
    """Whether a card takes the lead of a trick from the card that holds it."""
    if new[-1] == old[-1]:
        order = TRUMP_ORDER if new[-1] == trump else PLAIN_ORDER
        return order.index(new[:-1]) > order.index(old[:-1])
    return new[-1] == trump


def holder(trick: list[str], trump: str) -> int:
    """The place in the trick of the card that holds it."""
    place = 0
    for i in range(1, len(trick)):
        if beats(trick[i], trick[place], trump):
            place = i
    return place


def value(cards: list[str], trump: str) -> int:
    """The points of some cards."""
    total = 0
    for card in cards:
        total += (TRUMP_POINTS if card[-1] == trump else PLAIN_POINTS)[card[:-1]]
    return total


def legal(
    hand: list[str], trick: list[str], trump: str, undertrump: str, partner_trump: str
) -> list[str]:
    """The cards of a hand that may be played next to a trick."""
    if not trick:
        return list(hand)
    led = trick[0][-1]
    winning = holder(trick, trump)
    in_trick = [c for c in trick if c[-1] == trump]
    mine = [c for c in hand if c[-1] == trump]
    higher = [c for c in mine if all(beats(c, other, trump) for other in in_trick)]
    if led == trump:
        return higher or mine or list(hand)
    following = [c for c in hand if c[-1] == led]
    if following:
        return following
    if winning == len(trick) - 2:
        if partner_trump == "free" or not in_trick:
            return list(hand)
        allowed = [c for c in hand if c[-1] != trump or c in higher]
        return allowed or list(hand)
    if higher:
        return higher
    if mine and undertrump == "must":
        return mine
    return list(hand)


def lines(
    hands: list[list[str]], trick: list[str], turn: int, depth: int, rules: tuple[str, str, str]
) -> int:
    """How many sequences of legal plays of this length there are, within one or more tricks."""
    if depth == 0:
        return 1
    trump, undertrump, partner_trump = rules
    count = 0
    for card in legal(hands[turn], trick, trump, undertrump, partner_trump):
        rest = [[c for c in hand if c != card] for hand in hands]
        now = [*trick, card]
        if len(now) == 4:
            winner = (turn - 3 + holder(now, trump)) % 4
            count += lines(rest, [], winner, depth - 1, rules)
        else:
            count += lines(rest, now, (turn + 1) % 4, depth - 1, rules)
    return count


def tricks_of(plays: list[str], leader: int, trump: str) -> Iterator[tuple[int, list[str]]]:
    """The winner and the cards of each trick of a finished deal."""
    for i in range(0, len(plays), 4):
        trick = plays[i : i + 4]
        leader = (leader + holder(trick, trump)) % 4
        yield leader, trick


def count_deal(plays: list[str], leader: int, trump: str) -> tuple[list[int], list[int]]:
    """Tricks and trick points of both teams, the last trick's 10 included."""
    tricks, points = [0, 0], [0, 0]
    for number, (winner, cards) in enumerate(tricks_of(plays, leader, trump), 1):
        tricks[winner % 2] += 1
        points[winner % 2] += value(cards, trump) + (10 if number == 8 else 0)
    return tricks, points


def score(
    options: dict[str, str],
    takers: int,
    tricks: list[int],
    points: list[int],
    belote: int | None,
    pot: int,
) -> tuple[list[int], int]:
    """What both teams score and the pot afterwards."""
    defenders = 1 - takers
    points = list(points)
    for side in (0, 1):
        if tricks[side] == 8:
            points[side] = 252
    bonus = [20 if belote == side else 0 for side in (0, 1)]
    counted = [points[s] + (bonus[s] if options["belote_counts"] == "yes" else 0) for s in (0, 1)]
    gained = list(bonus)
    tie = counted[takers] == counted[defenders]
    made = counted[takers] > counted[defenders] or (tie and options["litige"] == "made")
    inside = counted[takers] < counted[defenders] or (tie and options["litige"] == "inside")
    if made:
        gained = [gained[s] + points[s] for s in (0, 1)]
        gained[takers] += pot
        pot = 0
    elif inside:
        gained[defenders] += points[0] + points[1] + pot
        pot = 0
    elif options["litige"] == "held_all":
        pot += points[0] + points[1]
    else:
        gained[defenders] += points[defenders]
        pot += points[takers]
        if options["belote_counts"] == "yes" and options["litige_belote"] == "held":
            pot += bonus[takers]
            gained[takers] -= bonus[takers]
    if options["rounding"] == "ten":
        for side in (0, 1):
            rest = gained[side] % 10
            gained[side] += (10 - rest) if rest >= 5 else -rest
    return gained, pot
