"""The kernel plays what the Round plays. `make equal` compares a million rounds for each set of options."""

from collections import Counter

import pytest

from controller.cards import Card
from controller.games import GAMES, open_game
from controller.games.game import Game
from controller.games.layout import Layout, Turn
from controller.odds.kernel.hand_states import player_trait
from controller.odds.kernel.kernel import Kernel
from controller.odds.kernel.rule_tables import rule_tables
from controller.odds.playthrough import Player
from controller.odds.simulate import JACKPOT
from controller.odds.tally import BetTallies
from tests.controller.odds.kernel.equality import (
    OPTION_SETS,
    RARE,
    RARE_EVERYWHERE,
    differences,
    player_of,
    standard,
)

ROUNDS = 10_000
FEW = 1000


@pytest.mark.parametrize("name", GAMES)
def test_the_same_cards_give_the_same_lines_and_every_rare_round_is_among_them(name: str) -> None:
    seen = Counter[str]()
    assert list(differences(*standard(name), ROUNDS, "equal", seen)) == []
    assert seen.keys() >= RARE[name] | RARE_EVERYWHERE


@pytest.mark.parametrize("name", GAMES)
def test_the_same_cards_give_the_same_lines_with_other_options(name: str) -> None:
    player = player_of(name, OPTION_SETS[name][1])
    assert list(differences(player, rule_tables(player), FEW, "options")) == []


class AnyChoice:
    """Chooses one of the keys, by what the tables know of a hand: not the suits, which a split loses."""

    def advice(self: Game, layout: Layout, turn: Turn) -> str:  # type: ignore[misc]
        hand = layout.seats[turn.seat].hands[turn.hand]
        keys = sorted(self.choices(layout, turn) - {"play"})
        ranks = player_trait(tuple(Card(f"{card[0]}s") for card in hand.cards))
        seen = ranks, bool(hand.split), layout.up and layout.up[0] not in "23456"
        return keys[sum(map(ord, repr(seen))) % len(keys)]


@pytest.mark.parametrize("name", GAMES)
def test_a_player_who_does_anything_gets_the_same_lines(name: str) -> None:
    """So that every choice that the rules allow is compared, not only good ones."""
    kind = type(open_game(name))
    game = type(f"Any{kind.__name__}", (AnyChoice, kind), {})({})
    player = Player(game, dict.fromkeys(game.meters, JACKPOT))
    assert list(differences(player, rule_tables(player), 3 * FEW, "any")) == []


@pytest.mark.parametrize("name", GAMES)
def test_counted_rounds_are_the_sum_of_single_ones(name: str) -> None:
    player, rules = standard(name)
    kernel, tallies = Kernel(player, rules), BetTallies()
    kernel.shuffle("sum")
    for _ in range(FEW):
        player.count(player.play(iter(kernel.play()[0])), tallies)
    kernel.shuffle("sum")
    assert kernel.count(FEW).all() == tallies.all()
