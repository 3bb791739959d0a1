"""A hand of three 7s of one suit, which wins the jackpot, dealt card by card at a whole table."""

from typing import Final

from tests.fixtures.device_control import Hand
from tests.fixtures.process_table import ProcessTable
from tests.fixtures.waiting import until

CARDS: Final = "9c 7d 7d 7d Ts 2c 3c 4c"
"""A burned card; seat 1 and the up-card alternate; the face-down card makes a 17."""
SEED = 1_000_000
WON = 1_000_015
SEAT = 1
SPOT = 2


def until_the_last_seven(table: ProcessTable) -> None:
    """Seat 1 has two 7s and a wager on the jackpot; the shoe knows that the next card is due."""
    table.until(lambda view: not view.suspended)
    table.hands["shoe"].ask("load", cards=CARDS, decks=8)
    table.until(lambda view: view.prompt.startswith("Place your bets") and view.shoe.cards_out == 0)
    for spot, cents in ((0, 500), (SPOT, 100)):
        table.hands["sensors"].ask("put", seat=SEAT, spot=spot, cents=cents)
    table.until(lambda view: "2 wagers" in view.prompt)
    table.hands["console"].ask("press", action="close", seat=0)
    for out in range(3):
        _out(table, out)
        table.pull()
    _out(table, 3)
    table.until_permitted()


def _out(table: ProcessTable, cards: int) -> None:
    table.until(lambda view: view.phase in {"burning", "dealing"} and view.shoe.cards_out == cards)
    table.until_settled()


def hit(table: ProcessTable) -> list[object]:
    """Pulls the last 7; returns what the display showed, each once, until the amount is shown as won."""
    display = table.hands["display"]
    display.all_notices()
    table.hands["shoe"].ask("pull")
    until(lambda: level(display) == [WON, "win"])
    levels = [notice["levels"]["0"] for notice in display.all_notices() if notice["notice"] == "display"]
    return [amount for place, amount in enumerate(levels) if amount not in levels[:place]]


def level(display: Hand) -> object:
    """The first line of the display: cents, and their state."""
    return display.last("display")["levels"].get("0")
