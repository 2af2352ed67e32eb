"""What the choosers of headless seats do besides choosing."""

from __future__ import annotations

from dataclasses import replace

from p2pcards.cards import Card
from p2pcards.commands.choosers import called
from p2pcards.games.base import Pass, Play
from tests.ui.scene import royals, with_belote


def test_a_bot_calls_the_belote_that_it_holds_and_pretends_to_none() -> None:
    scene = with_belote("manual")
    question = scene.question()
    king, queen = royals(scene)
    other = next(card for card in question.view.hand if card not in (king, queen))
    assert called(question, Play(0, king)) == Play(0, king, call=True)
    assert called(question, Play(0, other)) == Play(0, other, call=False)
    without = replace(question.view, hand=question.view.hand - {queen})
    choices = tuple(Play(0, card) for card in without.hand)
    alone = replace(question, view=without, choices=choices)
    assert called(alone, Play(0, king)) == Play(0, king, call=False)
    assert called(question, Pass(0)) == Pass(0)


def test_where_calling_is_not_needed_every_play_says_it() -> None:
    scene = with_belote("auto")
    card: Card = royals(scene)[0]
    assert called(scene.question(), Play(0, card)) == Play(0, card, call=True)
