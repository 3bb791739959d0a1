"""Makes Quick Pay's default Hedge table: `python -m controller.odds.hedge_table` prints the module that
holds it.

For each up-card and total it is the largest whole number to 1 that leaves the house at least 5 %, given
that the dealer has no natural.
"""

from fractions import Fraction
from itertools import product

from controller.odds.dealer import DealerEnds, TwentyOne, after_peek, dealer_ends
from controller.odds.shoe import RANKS, fresh, hand
from controller.odds.side_bets import chance

DECKS = (1, 2, 6, 8)
TOTALS = (18, 19, 20, 21)
HOUSE_EDGE = Fraction(5, 100)

HEAD = '''"""Quick Pay's default Hedge table, made by `python -m controller.odds.hedge_table`."""

TOTALS = {totals}
"""The totals of Hedge wagers, one column each."""

HEDGE: dict[tuple[int, bool], dict[str, tuple[int, int, int, int]]] = {{
    # decks, whether the dealer hits soft 17 -> up-card -> what each total pays to 1
'''


def given_up_card(decks: int, hits_soft_17: bool, rank: int) -> DealerEnds:
    """How a dealer ends who shows this rank and has no natural."""
    return after_peek(dealer_ends(TwentyOne(hits_soft_17), fresh(decks), hand([rank])))


def largest(probability: Fraction) -> int:
    """The largest whole number to 1 that leaves the house its edge."""
    return (1 - HOUSE_EDGE) // probability - 1


def hedge_row(decks: int, hits_soft_17: bool, rank: int) -> tuple[int, ...]:
    """What each total pays to 1 against this rank."""
    found = given_up_card(decks, hits_soft_17, rank)
    return tuple(largest(chance(found, total)) for total in TOTALS)


def literal() -> str:
    """The source of the module that holds the table."""
    tables = (_table(decks, rule) for decks, rule in product(DECKS, (False, True)))
    return HEAD.format(totals=TOTALS) + "".join(tables) + "}\n"


def _table(decks: int, hits_soft_17: bool) -> str:
    rows = (f'        "{up}": {hedge_row(decks, hits_soft_17, rank)},\n' for rank, up in enumerate(RANKS))
    return f"    ({decks}, {hits_soft_17}): {{\n{''.join(rows)}    }},\n"


if __name__ == "__main__":
    print(literal(), end="")
