"""The dealers of the engine count and draw as those of the games do."""

from random import Random

from controller.cards import DECK
from controller.games import points
from controller.games.easy_jack import DEALER_DRAWS_TO, EasyJack
from controller.odds.dealer import Eleven, TwentyOne
from controller.odds.shoe import RANKS, hand


def test_the_engine_counts_21_as_the_games_do() -> None:
    random, rule = Random(1), TwentyOne(True)
    for _ in range(2000):
        cards = tuple(random.choices(DECK, k=random.randint(2, 8)))
        counts = hand(_rank(card) for card in cards)
        assert rule.total(counts) == points.total(cards)
        assert rule.bust(counts) == (points.hard(cards) > points.TARGET)
        assert rule.natural(counts) == points.ace_and_ten(cards)


def test_the_engine_counts_11_as_easy_jack_does() -> None:
    random, rule, game = Random(2), Eleven(), EasyJack()
    for _ in range(2000):
        first, *more = random.choices(DECK, k=random.randint(1, 6))
        cards = (first, *(() if first[0] == "A" else more))
        counts = hand(map(_rank, cards))
        assert rule.total(counts) == game.total(cards)
        assert rule.bust(counts) == game.bust(cards)
        assert rule.natural(counts) == game.natural(cards)
        assert rule.draws(counts) == (game.total(cards) <= DEALER_DRAWS_TO)


def _rank(card: str) -> int:
    return RANKS.index("T" if card[0] in "JQK" else card[0])
