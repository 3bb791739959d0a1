"""The default Hedge table is the one that the odds give."""

import subprocess
import sys
from fractions import Fraction
from pathlib import Path

from controller.games.bets import hedge_table as committed
from controller.odds.hedge_table import HOUSE_EDGE, given_up_card, hedge_row, largest
from controller.odds.shoe import RANKS
from controller.odds.side_bets import chance


def test_the_committed_module_is_what_the_command_prints() -> None:
    command = [sys.executable, "-m", "controller.odds.hedge_table"]
    printed = subprocess.run(command, capture_output=True, check=True, text=True).stdout
    assert Path(committed.__file__).read_text("utf-8") == printed


def test_the_hedge_table_covers_every_configuration_up_card_and_total() -> None:
    assert set(committed.HEDGE) == {(decks, rule) for decks in (1, 2, 6, 8) for rule in (False, True)}
    assert all(list(table) == list(RANKS) for table in committed.HEDGE.values())
    assert committed.TOTALS == (18, 19, 20, 21)


def test_the_hedge_table_has_the_pays_of_known_rounds() -> None:
    assert committed.HEDGE[8, True]["7"][committed.TOTALS.index(21)] == 11
    assert committed.HEDGE[2, False]["9"][committed.TOTALS.index(19)] == 1


def test_each_entry_is_the_largest_that_leaves_the_house_its_edge() -> None:
    found = given_up_card(6, True, RANKS.index("6"))
    for total, pays in zip(committed.TOTALS, hedge_row(6, True, RANKS.index("6")), strict=True):
        wins = chance(found, total)
        assert 1 - wins * (pays + 1) >= HOUSE_EDGE > 1 - wins * (pays + 2)


def test_an_edge_of_exactly_five_percent_is_enough() -> None:
    assert largest(Fraction(95, 1000)) == 9
    assert largest(Fraction(95, 1000) + Fraction(1, 10**9)) == 8
