"""Good shuffles pass nineteen times in twenty; poor ones are found."""

from collections import Counter
from random import Random

import pytest

from controller.cards import DECK
from controller.past.shuffles import DealtShoe, shuffle_tests


def shuffled(rng: Random, decks: int, dealt: int) -> DealtShoe:
    cards = [*DECK] * decks
    rng.shuffle(cards)
    return DealtShoe(0.0, decks, tuple(cards[:dealt]))


def riffled(rng: Random, decks: int, dealt: int, times: int) -> DealtShoe:
    cards: list[str] = [*DECK] * decks
    for _ in range(times):
        halves, cards = (cards[: len(cards) // 2], cards[len(cards) // 2 :]), []
        while any(halves):
            part = halves[rng.random() * sum(map(len, halves)) >= len(halves[0])]
            cards.append(part.pop(0))
    return DealtShoe(0.0, decks, tuple(cards[:dealt]))


@pytest.mark.parametrize(("decks", "dealt"), [(8, 350), (6, 312), (2, 70)])
def test_a_perfect_shuffle_seldom_fails(decks: int, dealt: int) -> None:
    rng, fails = Random(5), Counter[str]()
    for _ in range(200):
        fails.update(
            one.name for one in shuffle_tests([shuffled(rng, decks, dealt) for _ in range(6)]) if not one.fits
        )
    assert set(fails) == {"ranks", "suits", "pairs", "runs"}
    assert max(fails.values()) < 24, fails  # 10 of 200 are expected; 4.5 standard deviations


@pytest.mark.parametrize("times", [1, 3, 5])
def test_a_poor_shuffle_is_found_out(times: int) -> None:
    rng = Random(5)
    found = {one.name: one.fits for one in shuffle_tests([riffled(rng, 8, 350, times) for _ in range(6)])}
    assert not found["suits"]
    assert not found["runs"]


def test_ranks_that_come_together_are_found_out() -> None:
    rng = Random(5)
    low = [card for card in DECK for _ in range(6) if card[0] in "23456"]
    high = [card for card in DECK for _ in range(6) if card[0] not in "23456"]
    rng.shuffle(low)
    rng.shuffle(high)
    judged = {one.name: one for one in shuffle_tests([DealtShoe(0.0, 6, (*high[:100], *low, *high[100:]))])}
    assert judged["ranks"].statistic.chance < 1e-9


def test_pairs_that_come_together_are_found_out() -> None:
    rng = Random(5)
    pairs = [(card, card) for card in DECK for _ in range(3)]
    rng.shuffle(pairs)
    judged = {
        one.name: one
        for one in shuffle_tests([DealtShoe(0.0, 6, tuple(card for pair in pairs for card in pair))])
    }
    assert judged["pairs"].statistic.chance < 1e-9


@pytest.mark.parametrize("cards", [("As", "", "2c"), ("As", "As", "2c")])
def test_shoes_that_cannot_be_judged_say_nothing(cards: tuple[str, ...]) -> None:
    assert {one.statistic.degrees for one in shuffle_tests([DealtShoe(0.0, 1, cards)])} == {0}


def test_no_shoes_give_no_verdict() -> None:
    assert all(one.fits for one in shuffle_tests([]))
