"""The table in a terminal, for rich; fits 100 columns and 30 lines."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import zip_longest

from rich import box
from rich.console import Group, RenderableType
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from controller.monitor.wording import RED, amount, rank_text, signed
from controller.table.view import HIDDEN, DeviceView, HandView, RoundView, SeatView, SpotView, TableView

SUITS: Mapping[str, str] = {"s": "♠", "h": "♥", "d": "♦", "c": "♣"}
LAMPS: Mapping[str, str] = {
    "off": "grey42", "open": "bright_green", "no bets": "red", "latched": "bright_blue",
    "win": "bright_yellow", "jackpot": "bright_magenta", "fault": "bold yellow on red",
}  # fmt: skip
TROUBLE = "bold bright_red"
STATES: Mapping[str, str] = {"running": "green", "refused": TROUBLE, "backing off": TROUBLE}
MOST_ROUNDS = 6
MOST_WARNINGS = 6
CARDS_A_LINE = 3
LEAST_LINES = 3
"""Lines that hands take at least: what stands below does not jump with every card."""


def render(view: TableView) -> RenderableType:
    """The whole table. Texts come from devices and files too: nothing in them can move the cursor."""
    return Group(_head(view), _due(view), *_warnings(view), _felt(view), _foot(view))


def _head(view: TableView) -> Table:
    shoe = view.shoe
    cards = f"{shoe.cards_out} of {shoe.decks * 52} cards out" if shoe.loaded else "no shoe loaded"
    cut = " · cut card out" if shoe.cut_card_out else ""
    shuffler = f" · shuffler {shoe.shuffler}" if shoe.shuffler else ""
    row = Table.grid(expand=True)
    row.add_column()
    row.add_column(justify="right")
    row.add_row(
        _line((view.table, "bold"), (f"  {view.game}", "yellow"), (f"  round {view.round}", "")),
        _line((cards + cut + shuffler, "dim")),
    )
    return row


def _due(view: TableView) -> Panel:
    phase, style = ("SUSPENDED", "bold white on red") if view.suspended else (view.phase, "black on yellow")
    keys = ((f"  [{key}]", "cyan") for key in view.keys)
    prompt = _line((f" {phase} ", style), (f"  {view.prompt}", "bold"), *keys)
    return Panel(prompt, border_style="red" if view.suspended else "yellow", box=box.HEAVY)


def _warnings(view: TableView) -> Iterable[Text]:
    why = [(f" ! {each} ", "bold white on red") for each in view.suspended]
    told = [*why, *((f" ! {each}", "yellow") for each in view.alerts)]
    yield from (_line(each) for each in told[:MOST_WARNINGS])
    if len(told) > MOST_WARNINGS:
        yield _line((f"   and {len(told) - MOST_WARNINGS} more", "yellow"))


def _felt(view: TableView) -> Panel:
    dealer = _line(("Dealer  ", "bold")).append_text(_inline(view.dealer))
    dealer.justify = "center"
    lines = [line for line in view.display if line]
    display = _line((" · ".join(lines), "bold yellow")) if lines else None
    from_our_side = view.seats[::-1]  # seat 1 is at the dealer's left, and the dealer looks at us
    return Panel(Group(dealer, Text(), _seats(from_our_side)), border_style="green", title=display)


def _seats(seats: Sequence[SeatView]) -> Table:
    """A column a seat, a row a kind of thing, so that equals stand side by side."""
    grid = Table(box=None, expand=True, padding=(0, 1, 0, 0), show_header=False)
    for _ in seats:
        grid.add_column(ratio=1, no_wrap=True, overflow="ellipsis")
    grid.add_row(*map(_seat, seats))
    grid.add_row(*map(_hands, seats))
    for spots in zip_longest(*(seat.spots for seat in seats)):
        grid.add_row(*(_spot(spot) if spot else Text() for spot in spots))
    return grid


def _seat(seat: SeatView) -> Text:
    if seat.active:
        return _line((f"▶ {seat.seat} to act ", "bold black on yellow"))
    number = _line((f"{seat.seat}", "bold"))
    return number if seat.net is None else number.append("  ").append_text(_gain(seat.net))


def _hands(seat: SeatView) -> Text:
    hands = Text("\n").join(map(_stacked, seat.hands))
    missing = LEAST_LINES - 1 - hands.plain.count("\n")
    return hands.append("\n" * missing) if missing > 0 else hands


def _stacked(hand: HandView) -> Text:
    cards = [_card(card) for card in hand.cards]
    rows = (cards[at : at + CARDS_A_LINE] for at in range(0, len(cards), CARDS_A_LINE))
    return Text("\n").join([*(Text(" ").join(row) for row in rows), _value(hand)])


def _inline(hand: HandView) -> Text:
    return Text(" ").join([*map(_card, hand.cards), _value(hand)])


def _value(hand: HandView) -> Text:
    total = "" if hand.total is None else f"{hand.total} "
    return _line((total, "bold"), (hand.label, "italic"))


def _card(card: str) -> Text:
    if card == HIDDEN:
        return Text("▒▒▒", "white on dark_red")
    style = "bold red on bright_white" if card[1] in RED else "bold black on bright_white"
    return Text(f"{rank_text(card):>2}{SUITS[card[1]]}", style)


def _spot(spot: SpotView) -> Text:
    wager = (amount(spot.cents), "bold") if spot.present else ("–", "dim")
    return _line(("● ", LAMPS.get(spot.lamp, "white")), (spot.spot, ""), ("\n  ", ""), wager)


def _gain(cents: int | None) -> Text:
    colour = "dim" if not cents else "green" if cents > 0 else "red"
    return Text(signed(cents), f"bold {colour}")


def _foot(view: TableView) -> Table:
    row = Table.grid(expand=True, padding=(0, 1, 0, 0))
    row.add_column(ratio=1)
    row.add_column(ratio=1)
    row.add_row(_rounds(view.rounds[:MOST_ROUNDS]), _devices(view.devices))
    return row


def _rounds(rounds: Iterable[RoundView]) -> Table:
    past = _list("Last rounds", 3)
    for each in rounds:
        outcome = _line(("void ", "yellow")) if each.outcome == "void" else Text()
        nets = (
            _line((f"{seat.seat} ", "dim")).append_text(_gain(seat.net)) for seat in each.seats if seat.hands
        )
        past.add_row(str(each.number), outcome.append_text(_inline(each.dealer)), Text("  ").join(nets))
    return past


def _devices(devices: Iterable[DeviceView]) -> Table:
    known = _list("Devices", 3)
    for device in devices:
        state = (device.state, STATES.get(device.state, "yellow"))
        insecure = ("INSECURE " if device.insecure else "", "yellow")
        known.add_row(
            _line((device.name, "bold")), _line(state), _line(insecure, (device.detail or device.serial, ""))
        )
    return known


def _list(title: str, columns: int) -> Table:
    """All but the last column keep their width; the last one gives way."""
    rows = Table(
        box=None, title=title, title_style="dim", title_justify="left", show_header=False, expand=True
    )
    for _ in range(columns - 1):
        rows.add_column(no_wrap=True)
    rows.add_column(no_wrap=True, overflow="ellipsis", ratio=1)
    return rows


def _line(*parts: tuple[str, str]) -> Text:
    printable = ((_printable(text), style) for text, style in parts)
    return Text.assemble(*printable)


def _printable(text: str) -> str:
    return "".join(sign if sign.isprintable() or sign == "\n" else "·" for sign in text)
