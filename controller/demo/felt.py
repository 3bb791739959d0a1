"""The felt in a terminal: the dealer, and a column for each seat."""

from collections.abc import Mapping, Sequence
from itertools import zip_longest

from rich.console import Group
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from controller.demo.pieces import SUITS, card, gain, inline, line, value
from controller.monitor.wording import RED, amount, rank_text
from controller.table.view import HandView, PlayedHandView, SeatView, SpotView, TableView

LAMPS: Mapping[str, str] = {
    "off": "grey42", "open": "bright_green", "no bets": "red", "latched": "bright_blue",
    "win": "bright_yellow", "jackpot": "bright_magenta", "fault": "bold yellow on red",
}  # fmt: skip
MARKS: Mapping[str, str] = {"": "", "stands": "", "doubled": "×2 "}
"""Labels in short, where a seat has several hands."""
CARDS_A_LINE = 3
LEAST_LINES = 3
"""Lines that hands take at least: what stands below does not jump with every card."""


def felt(view: TableView) -> Panel:
    """The dealer, the seats as players see them, and the players' display."""
    dealer = line(("Dealer  ", "bold")).append_text(inline(view.dealer))
    dealer.justify = "center"
    told = [text for text in view.display if text]
    display = line((" · ".join(told), "bold yellow")) if told else None
    from_our_side = view.seats[::-1]  # seat 1 is at the dealer's left, and the dealer looks at us
    return Panel(Group(dealer, Text(), _seats(from_our_side, view.bank)), border_style="green", title=display)


def height(seat: SeatView) -> int:
    """Lines that a seat takes below its number."""
    return _hands(seat).plain.count("\n") + 1 + len(seat.spots)


def _seats(seats: Sequence[SeatView], bank: int | None) -> Table:
    """A column a seat, a row a kind of thing, so that equals stand side by side."""
    grid = Table(box=None, expand=True, padding=(0, 1, 0, 0), show_header=False)
    for _ in seats:
        grid.add_column(ratio=1, no_wrap=True, overflow="ellipsis")
    grid.add_row(*(_seat(seat, banks=seat.seat == bank) for seat in seats))
    grid.add_row(*map(_hands, seats))
    for spots in zip_longest(*(seat.spots for seat in seats)):
        grid.add_row(*(_spot(spot) if spot else Text() for spot in spots))
    return grid


def _seat(seat: SeatView, *, banks: bool) -> Text:
    if seat.active:
        return line((f"▶ {seat.seat} to act ", "bold black on yellow"))
    number = line((f"{seat.seat}", "bold"), ("  banks" if banks else "", "cyan"))
    return number if seat.net is None else number.append("  ").append_text(gain(seat.net))


def _hands(seat: SeatView) -> Text:
    """One hand with its cards in rows; several with a line each."""
    drawn = map(_stacked, seat.hands) if len(seat.hands) < 2 else map(_in_a_line, seat.hands)
    held = Text("\n").join(drawn)
    if seat.insurance != 0:
        held.append(f"\ninsured {amount(seat.insurance)}", "cyan")
    missing = LEAST_LINES - 1 - held.plain.count("\n")
    return held.append("\n" * missing) if missing > 0 else held


def _in_a_line(hand: PlayedHandView) -> Text:
    """What it is before its cards, for those may be too many."""
    total = "" if hand.total is None else f"{hand.total} "
    mark = MARKS.get(hand.label, f"{hand.label} ")
    drawn = line(("▶" if hand.active else "", "bold yellow"), (total, "bold"), (mark, "italic"))
    for each in hand.cards:
        drawn.append(f"{rank_text(each)}{SUITS[each[1]]}", "bold bright_red" if each[1] in RED else "bold")
    return drawn


def _stacked(hand: HandView) -> Text:
    cards = [card(each) for each in hand.cards]
    rows = (cards[at : at + CARDS_A_LINE] for at in range(0, len(cards), CARDS_A_LINE))
    return Text("\n").join([*(Text(" ").join(row) for row in rows), value(hand)])


def _spot(spot: SpotView) -> Text:
    """The amount first, for names may be too long."""
    wager = (f"{amount(spot.cents)} ", "bold") if spot.present else ("", "")
    return line(("● ", LAMPS.get(spot.lamp, "white")), wager, (spot.spot, "" if spot.present else "dim"))
