import math
from collections import Counter
from itertools import islice
from random import Random

import pytest

from controller.cards import DECK
from controller.games import GAMES, open_game
from controller.odds import exact
from controller.odds.bet import Bet
from controller.odds.playthrough import Player, ShuffledShoe, stake
from controller.odds.simulate import JACKPOT, PORTIONS, simulate
from controller.round import EventRefused

ROUNDS = 10_000


@pytest.mark.parametrize("name", GAMES)
def test_bets_cost_what_the_exact_odds_say(name: str) -> None:
    """Within four and a half standard errors, for every bet that both know."""
    game = open_game(name)
    exactly = {(bet.bet, bet.given.get("up_card", "")): bet for bet in exact.bets(game)}
    compared = 0
    for tally in simulate(game, ROUNDS, 42, processors=1).tallies:
        if bet := exactly.get((tally.bet, tally.up_card)):
            error = spread(bet) / math.sqrt(tally.count)
            assert abs(tally.house_edge - float(bet.house_edge)) < 4.5 * error, tally
            compared += 1
    assert compared >= len({spot for spot in game.spots if spot not in game.hand_spots})


def spread(bet: Bet) -> float:
    """The exact standard deviation of one unit's gain: a sample may miss a rare win."""
    squares = sum(outcome.probability * outcome.gain**2 for outcome in bet.outcomes)
    return math.sqrt(squares - bet.house_edge**2)


def test_the_main_bet_of_easy_jack_costs_what_is_published() -> None:
    """8 decks, 3:2, best play: 0.9377 %."""
    main = next(
        tally
        for tally in simulate(open_game("easy-jack"), ROUNDS, 42, processors=1).tallies
        if tally.bet == "main"
    )
    assert abs(main.house_edge - 0.009377) < 4 * main.standard_error
    assert main.standard_error == pytest.approx(0.0096, rel=0.1)


def test_the_same_seed_gives_the_same_rounds() -> None:
    game = open_game("ez-bust", {"decks": 1, "even_money": True})
    one, again, other = (simulate(game, 300, seed, processors=1).tallies for seed in (7, 7, 8))
    assert one == again != other
    assert sum(tally.count for tally in one if tally.bet == "main") == 300


def test_jackpots_are_what_is_told() -> None:
    """All of it is paid for any three sevens of diamonds, a tenth for three of one suit."""
    game = open_game("blackjack-x", {"blazing_7s": dict.fromkeys(EVENTS, "1%")})
    plain, rich = (
        next(tally for tally in simulate(game, 2000, 3, meters=meters).tallies if tally.bet == "blazing-7s")
        for meters in (None, {"blazing-7s": 3 * JACKPOT})
    )
    wins = plain.results["1%"]
    assert wins == rich.results["1%"] > 100
    assert rich.paid - plain.paid == wins * 2 * JACKPOT // 100


EVENTS = ("777 diamonds", "777 suited", "777 one colour", "777", "two 7s", "one 7")


def test_a_fresh_shoe_deals_every_card_once_however_much_was_dealt_before() -> None:
    shoe = ShuffledShoe(6, Random(1))
    part = list(islice(shoe.fresh(), 50))
    whole = list(shoe.fresh())
    assert Counter(whole) == dict.fromkeys(DECK, 6)
    assert part != whole[:50]


def test_every_card_is_as_likely_to_come_first() -> None:
    """52 cards, 26,000 shoes: each 500 times, give or take five standard deviations (22)."""
    shoe = ShuffledShoe(1, Random(2))
    first = Counter(next(shoe.fresh()) for _ in range(26_000))
    assert all(abs(first[card] - 500) < 110 for card in DECK)


def test_progress_hears_of_every_round_once() -> None:
    for engine, portion in PORTIONS.items():
        heard: list[int] = []
        simulate(open_game("easy-jack"), portion + 500, 1, processors=1, engine=engine, progress=heard.append)
        assert heard == [portion, 500]


def test_both_engines_find_the_same_edges() -> None:
    """The rounds differ, so only within their errors: five standard errors of 20,000 rounds."""
    game = open_game("ez-bust")
    kernel, rounds = (simulate(game, 20_000, 4, engine=engine, processors=1) for engine in PORTIONS)
    assert (kernel.engine.name, rounds.engine.name) == ("kernel", "round")
    for one, other in zip(kernel.tallies, rounds.tallies, strict=True):
        assert (one.bet, one.up_card) == (other.bet, other.up_card)
        error = math.hypot(one.standard_error, other.standard_error)
        assert abs(one.house_edge - other.house_edge) < 5 * error


def test_the_round_plays_what_the_tables_do_not_cover_and_says_why() -> None:
    limits = {"main": [10**9 + 1, 10**9 + 1]}
    played = simulate(open_game("easy-jack", {"limits": limits}), 50, 1, processors=1)
    assert played.engine.name == "round"
    assert "too much to be added up" in played.engine.why
    assert played.rounds_per_cpu_second > 0


def test_stakes_fit_chip_and_limits() -> None:
    options = {"chip": 500, "limits": {"main": [1250, 1600], "dealer-bust": [2_000_000, 3_000_000]}}
    game = open_game("easy-jack", options)
    assert (stake(game, "main"), stake(game, "dealer-bust")) == (1500, 2_000_000)
    assert stake(open_game("ez-bust", {"max": 700, "chip": 100}), "ez-bust") == 700
    assert stake(open_game("blackjack-x", {"stake": 250}), "blazing-7s") == 250


def test_a_game_without_a_possible_stake_is_refused() -> None:
    game = open_game("easy-jack", {"chip": 500, "limits": {"main": [100, 200]}})
    with pytest.raises(EventRefused, match="over the maximum"):
        simulate(game, 1, 1)


def test_every_window_is_used() -> None:
    """Insurance against an ace, EZ Bust against 2 to 6, all four Hedges; doubles and splits too."""
    player = Player(open_game("ez-bust"), {})
    shoe = ShuffledShoe(6, Random(5))
    played = [player.play(shoe.fresh()) for _ in range(600)]
    lines = Counter(line.wager for each in played for line in each.settlements)
    assert lines["insurance"] > 20
    assert lines["ez-bust"] > 150
    assert lines["main"] > 600
    assert any(hand.choice == "double" for each in played for hand in each.seats[1].hands)
