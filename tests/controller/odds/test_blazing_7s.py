from fractions import Fraction
from itertools import permutations

from controller.cards import DECK
from controller.games.bets.blazing_7s import EVENTS, award, awards, event
from controller.odds.side_bets import blazing_7s, events

ORDERS = 416 * 415 * 414
"""The orders of three cards out of eight decks."""
STAKES = Fraction(10_000)


def test_each_event_counted_by_hand() -> None:
    """Eight decks: 8 sevens of each suit, 384 other cards; the seat's two cards, then the up-card."""
    three_of_a_suit, three_of_a_colour = 8 * 7 * 6, 16 * 15 * 14
    ways = {
        "777 diamonds": three_of_a_suit,
        "777 suited": 3 * three_of_a_suit,
        "777 one colour": 2 * (three_of_a_colour - 2 * three_of_a_suit),
        "777": 32 * 31 * 30 - 2 * three_of_a_colour,
        "two 7s": 32 * 31 * 384,
        "one 7": 2 * 32 * 384 * 414,
    }
    assert events(8) == {name: Fraction(count, ORDERS) for name, count in ways.items()}


def test_event_odds_match_every_order_of_three_cards() -> None:
    counts = dict.fromkeys(EVENTS, 0)
    for one, two, up in permutations(DECK, 3):
        happened = event((one, two), up)
        if happened is not None:
            counts[happened] += 1
    assert events(1) == {name: Fraction(count, 52 * 51 * 50) for name, count in counts.items()}


def test_event_pays_match_the_settlement() -> None:
    found = {outcome.event: outcome.pays for outcome in blazing_7s(8, awards(2), STAKES).outcomes}
    assert found == {
        "777 diamonds": "100%",
        "777 suited": "10%",
        "777 one colour": "499:1",
        "777": "199:1",
        "two 7s": "24:1",
        "one 7": "1:1",
        "no 7": None,
    }


def test_a_share_is_of_the_jackpot_without_the_stake() -> None:
    outcomes = {outcome.event: outcome.gain for outcome in blazing_7s(8, awards(2), STAKES).outcomes}
    assert outcomes["777 diamonds"] == 9_999
    assert outcomes["777 suited"] == 999
    assert outcomes["one 7"] == 1


def test_the_edge_vanishes_at_the_break_even_meter() -> None:
    for table in (awards(1), awards(2)):
        even = blazing_7s(8, table, STAKES).break_even_meter
        assert even is not None
        found = blazing_7s(8, table, even)
        assert found.meter == even
        assert found.house_edge == 0


def test_one_stake_more_in_the_jackpot_is_worth_its_shares() -> None:
    less, more = (blazing_7s(8, awards(2), meter) for meter in (STAKES, STAKES + 1))
    found = events(8)
    assert less.house_edge - more.house_edge == found["777 diamonds"] + found["777 suited"] / 10


def test_a_table_without_shares_has_no_break_even_meter() -> None:
    fixed = dict.fromkeys(EVENTS, award("5 for 1"))
    assert blazing_7s(8, fixed, STAKES).break_even_meter is None
