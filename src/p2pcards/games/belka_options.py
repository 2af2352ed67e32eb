"""The rule options of Belka: the only place where they and their meanings are written."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from p2pcards.games.options import Options, choice, number


@dataclass(frozen=True, slots=True)
class BelkaOptions(Options):
    """What a table of Belka may agree on; the preset ``common`` is how most people play."""

    presets: ClassVar[Mapping[str, Mapping[str, str]]] = {"common": {"first_deal": "two"}}

    direction: str = choice(
        "ccw",
        "The direction in which cards are dealt and played.",
        ccw="Play runs counter-clockwise: the next player sits on one's right.",
        cw="Play runs clockwise: the next player sits on one's left.",
    )
    lead: str = choice(
        "next",
        "Who leads to the first trick of a deal.",
        next="The player after the dealer leads to the first trick.",
        previous="The player before the dealer leads to the first trick.",
        jack="The holder of the J♣ leads to the first trick; in a first deal whose J♣ is not "
        "announced, the player after the dealer does.",
    )
    suits: str = choice(
        "fixed",
        "How long the suits stay with the players.",
        fixed="The suits stay with the players to the end of the game.",
        rolling="The suits are given anew after each deal: clubs to the player who was dealt the "
        "J♣ in it.",
    )
    announce_first: str = choice(
        "no",
        "Whether the J♣ is announced in the first deal of a game, too.",
        no="In the first deal it stays hidden until it is played.",
        yes="In the first deal it is announced as well, though it decides no trump there.",
    )
    first_deal: str = choice(
        "normal",
        "What the first deal of a game is worth.",
        normal="The first deal is scored like any other.",
        two="The first deal is worth two eyes to its winners, whatever the margin and whoever was "
        "dealt the J♣.",
    )
    jack_eye: str = choice(
        "on",
        "Whether winning against the J♣ is worth an eye.",
        on="The winners get one eye more if the J♣ was dealt to the losers.",
        off="It does not matter to the score who was dealt the J♣.",
    )
    save: int = number(
        30,
        "The points with which the losers are saved, so that the winners get one eye and not two.",
        30,
        31,
        only=(30, 31),
    )
    eggs: str = choice(
        "four",
        "What follows eggs, a deal that ends 60 to 60.",
        four="The next deal that is won is worth four eyes, whatever the margin.",
        title="The next deal that is won is scored as always; its losers get the title Eggs.",
        double="The next deal that is won counts twice.",
        plus_two="The next deal that is won is worth two eyes more.",
    )
    eggs_jack: str = choice(
        "off",
        "Whether the J♣ counts in the deal that is worth four eyes after eggs; it matters only "
        "where beating the J♣ is worth an eye.",
        off="No eye is added for the J♣ to a deal that is worth four.",
        on="An eye for the J♣ is added even to a deal that is worth four.",
    )
    eggs_again: str = choice(
        "keep",
        "What eggs twice in a row mean, and more often.",
        keep="Eggs again before a deal is won change nothing more.",
        add="Eggs again before a deal is won add as much once more.",
    )
    naked_by: str = choice(
        "tricks",
        "What leaves a side naked.",
        tricks="A side is naked if it wins no trick.",
        points="A side is naked if it wins no points, even with a trick of worthless cards.",
    )
    naked: str = choice(
        "game",
        "What leaving the other side naked wins.",
        game="Leaving the other side naked wins the game at once, whatever the eyes.",
        four="Leaving the other side naked is worth four eyes, unless the deal is worth more.",
    )
    ace_discard: str = choice(
        "free",
        "Whether a player who cannot follow suit may discard any ace.",
        free="Any card may be discarded.",
        held="An ace that is no trump may not be discarded before its suit has been led in this "
        "deal, unless the player has nothing but such aces.",
    )
    redeal: str = choice(
        "off",
        "Whether a weak hand gives the right to a new deal.",
        off="There is no new deal, however weak a hand is.",
        weak="Before anything else, a player with at most 13 points, or with five or more cards "
        "of one suit without its jack, may show the hand: the same player deals again.",
    )
    target: int = number(
        12,
        "The eyes that win a game.",
        6,
        12,
        only=(6, 12),
    )
    games: int = number(
        1,
        "The games of a series; the team that first wins more than half of them wins the match.",
        1,
        9,
        only=(1, 3, 5, 7, 9),
    )
