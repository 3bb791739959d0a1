from collections import Counter

import pytest

from controller.cards import DECK
from controller.games import GAMES, open_game
from controller.odds.kernel import compiled
from controller.odds.kernel.kernel import Kernel
from controller.odds.kernel.rule_tables import check_covered, rule_tables
from controller.odds.kernel.uncovered import NotCovered
from controller.odds.tally import BetTallies
from controller.round import EventRefused
from tests.controller.odds.kernel.equality import player_of, standard

ROUNDS = 2000


def counted(name: str, seed: str) -> BetTallies:
    kernel = Kernel(*standard(name))
    kernel.shuffle(seed)
    return kernel.count(ROUNDS)


def test_numba_is_installed_here() -> None:
    """Otherwise these tests would compare the plain form with itself."""
    assert compiled.FAST


@pytest.mark.parametrize("name", ["easy-jack", "blackjack-x"])
def test_compiled_code_and_plain_python_play_the_same_rounds(
    name: str, request: pytest.FixtureRequest
) -> None:
    fast = counted(name, "same")
    request.getfixturevalue("plain")
    assert counted(name, "same").all() == fast.all()


def test_a_seed_gives_the_same_rounds_whatever_was_played_before() -> None:
    kernel = Kernel(*standard("easy-jack"))
    kernel.shuffle("one")
    first = kernel.count(ROUNDS).all()
    other = kernel.count(ROUNDS).all()
    kernel.shuffle("one")
    assert first == kernel.count(ROUNDS).all() != other


def test_every_card_is_as_likely_in_each_place() -> None:
    """The third card of 52, in 26,000 rounds: each 500 times, give or take five standard deviations."""
    kernel = Kernel(*standard("easy-jack"), DECK)
    kernel.shuffle("places")
    second, third = Counter[str](), Counter[str]()
    for _ in range(26_000):
        cards, _ = kernel.play()
        second[cards[1]] += 1
        third[(*cards, "")[2]] += 1
    assert all(abs(second[card] - 500) < 110 for card in DECK)
    drawn = sum(third[card] for card in DECK) / len(DECK)
    assert all(abs(third[card] - drawn) < 5.5 * drawn**0.5 for card in DECK)


def test_a_game_with_rules_of_its_own_is_not_covered() -> None:
    class Sevens(type(open_game("easy-jack"))):  # type: ignore[misc]
        def dealer_takes(self, cards: tuple[str, ...]) -> bool:
            return bool(super().dealer_takes(cards)) and cards[0] != "7s"

    with pytest.raises(NotCovered, match="easy-jack has a dealer_takes of its own"):
        check_covered(Sevens({}))


@pytest.mark.parametrize("name", GAMES)
def test_every_game_of_the_product_is_covered(name: str) -> None:
    check_covered(open_game(name))


def test_amounts_that_would_overflow_are_not_covered() -> None:
    player = player_of("easy-jack", {"limits": {"main": [10**9 + 1, 10**9 + 1]}, "natural": "6:5"})
    with pytest.raises(NotCovered, match="too much to be added up"):
        Kernel(player, rule_tables(player))


def test_a_stake_that_does_not_fit_is_refused_as_by_the_round() -> None:
    player = player_of("easy-jack", {"chip": 500, "limits": {"main": [100, 200]}})
    with pytest.raises(EventRefused, match="over the maximum"):
        rule_tables(player)
