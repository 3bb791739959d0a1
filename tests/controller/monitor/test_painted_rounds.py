"""Ended rounds as HTML."""

import re
from dataclasses import replace

from controller.monitor.live.renderer import EXPANDABLE_ROUNDS
from tests.controller.monitor.test_table_page import panel
from tests.fixtures.played_views import PLAYED
from tests.fixtures.table_views import BETTING


def test_last_rounds_show_void() -> None:
    assert '<li class="void">' in panel("rounds", BETTING)


def test_a_recalled_round_has_its_splits_side_bets_bank_and_jackpot() -> None:
    recalled = panel("rounds", PLAYED["after a jackpot"])
    (fourth,) = re.findall(r'<span class="at">4</span></h4>(.*?)</div>', recalled, re.DOTALL)
    assert fourth.count('class="small-cards"') == 2
    assert re.findall(r"<span>([^<]+) (\S+) <small>(.*?)</small>", fourth) == [
        ("Bet", "25", "lose"),
        ("Bet", "50", "hand 2 lose"),
        ("Buster", "5", "lose"),
        ("Blazing 7s", "1", "lose"),
    ]
    assert "Bank: third party" in recalled
    assert "Blazing 7s: 10,000.45" in recalled


def test_only_the_newest_rounds_open() -> None:
    past = PLAYED["after a jackpot"].rounds[0]
    rounds = tuple(replace(past, number=number) for number in range(50, 0, -1))
    drawn = panel("rounds", replace(BETTING, rounds=rounds))
    assert drawn.count("<details>") == EXPANDABLE_ROUNDS
    assert drawn.count('class="nets"') == len(rounds)


def test_another_round_of_the_same_number_is_drawn_anew() -> None:
    past = PLAYED["after a jackpot"].rounds[0]
    first = panel("rounds", replace(BETTING, rounds=(past,)))
    assert panel("rounds", replace(BETTING, rounds=(replace(past, outcome="void"),))) != first


def test_a_corrected_round_says_so() -> None:
    past = replace(PLAYED["after a jackpot"].rounds[0], corrections=("card Kh of seat 2 was read as Ks",))
    drawn = panel("rounds", replace(BETTING, rounds=(past,)))
    assert '<p class="tag warn">corrected</p>' in drawn
    assert "Corrected: card Kh of seat 2 was read as Ks" in drawn
