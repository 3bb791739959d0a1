"""The table as rich draws it in a terminal; it fits 100 columns and 30 lines.

Texts come from devices and files too: nothing in them can move the cursor.
"""

from collections.abc import Iterable, Mapping, Sequence
from itertools import zip_longest

from rich import box
from rich.console import Group, RenderableType
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from controller.currency.formatting import amount_text, signed_text
from controller.monitor.live.formatting import RED, rank_text
from controller.table.record.views import (
    HIDDEN,
    DeviceView,
    HandView,
    PlayedHandView,
    RoundView,
    SeatView,
    SpotView,
    TableView,
)

SUITS: Mapping[str, str] = {"s": "♠", "h": "♥", "d": "♦", "c": "♣"}


def inline(hand: HandView) -> Text:
    """A hand in one line: its cards, then its value."""
    return Text(" ").join([*map(card, hand.cards), value(hand)])


def value(hand: HandView) -> Text:
    """The total, and what became of the hand."""
    total = "" if hand.total is None else f"{hand.total} "
    return line((total, "bold"), (hand.label, "italic"))


def card(face: str) -> Text:
    """A card as it is printed, or its back."""
    if face == HIDDEN:
        return Text("▒▒▒", "white on dark_red")
    style = "bold red on bright_white" if face[1] in RED else "bold black on bright_white"
    return Text(f"{rank_text(face):>2}{SUITS[face[1]]}", style)


def gain(cents: int | None) -> Text:
    colour = "dim" if not cents else "green" if cents > 0 else "red"
    return Text(signed_text(cents), f"bold {colour}")


def line(*parts: tuple[str, str]) -> Text:
    """Styled texts in one line. Nothing in them can move the cursor."""
    printable = ((_printable(text), style) for text, style in parts)
    return Text.assemble(*printable)


def _printable(text: str) -> str:
    return "".join(sign if sign.isprintable() or sign == "\n" else "·" for sign in text)


LAMPS: Mapping[str, str] = {
    "off": "grey42",
    "open": "bright_green",
    "no bets": "red",
    "latched": "bright_blue",
    "win": "bright_yellow",
    "jackpot": "bright_magenta",
    "fault": "bold yellow on red",
}
MARKS: Mapping[str, str] = {"": "", "stands": "", "doubled": "×2 "}
"""Short labels for seats with several hands."""
CARDS_A_LINE = 3
LEAST_LINES = 3
"""Minimum lines for hands, so that what is below does not jump with every card."""


def felt(view: TableView) -> Panel:
    """The dealer, the seats as players see them, and the players' display."""
    dealer = line(("Dealer  ", "bold")).append_text(inline(view.dealer))
    dealer.justify = "center"
    texts = [text for text in view.display if text]
    display = line((" · ".join(texts), "bold yellow")) if texts else None
    from_our_side = view.seats[::-1]  # seat 1 is at the dealer's left, and the dealer looks at us
    return Panel(Group(dealer, Text(), _seats(from_our_side, view.bank)), border_style="green", title=display)


def height(seat: SeatView) -> int:
    """Lines that a seat takes below its number."""
    return _hands(seat).plain.count("\n") + 1 + len(seat.spots)


def _seats(seats: Sequence[SeatView], bank: int | None) -> Table:
    """A column for each seat and a row for each kind of thing."""
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
    """One hand has its cards in rows; several hands have a line each."""
    rows = map(_stacked, seat.hands) if len(seat.hands) < 2 else map(_in_a_line, seat.hands)
    held = Text("\n").join(rows)
    if seat.insurance != 0:
        held.append(f"\ninsured {amount_text(seat.insurance)}", "cyan")
    missing = LEAST_LINES - 1 - held.plain.count("\n")
    return held.append("\n" * missing) if missing > 0 else held


def _in_a_line(hand: PlayedHandView) -> Text:
    """The total and label come before the cards, which may be cut off."""
    total = "" if hand.total is None else f"{hand.total} "
    mark = MARKS.get(hand.label, f"{hand.label} ")
    text = line(("▶" if hand.active else "", "bold yellow"), (total, "bold"), (mark, "italic"))
    for each in hand.cards:
        text.append(f"{rank_text(each)}{SUITS[each[1]]}", "bold bright_red" if each[1] in RED else "bold")
    return text


def _stacked(hand: HandView) -> Text:
    cards = [card(each) for each in hand.cards]
    rows = (cards[at : at + CARDS_A_LINE] for at in range(0, len(cards), CARDS_A_LINE))
    return Text("\n").join([*(Text(" ").join(row) for row in rows), value(hand)])


def _spot(spot: SpotView) -> Text:
    """The amount comes before the name, which may be cut off."""
    wager = (f"{amount_text(spot.cents)} ", "bold") if spot.present else ("", "")
    return line(("● ", LAMPS.get(spot.lamp, "white")), wager, (spot.spot, "" if spot.present else "dim"))


TROUBLE = "bold bright_red"
STATES: Mapping[str, str] = {
    "running": "green",
    "refused": TROUBLE,
    "backing off": TROUBLE,
    "held off": TROUBLE,
}
MOST_LINES = 30
MOST_ROUNDS = 6
MOST_WARNINGS = 6
FRAME = 9
"""Lines of the head, the prompt, the felt's border and its dealer, and the seats' numbers."""


def render(view: TableView) -> RenderableType:
    """The whole table. Texts come from devices and files too: nothing in them can move the cursor."""
    warnings = tuple(_warnings(view))
    return Group(
        _head(view), _due(view), *warnings, felt(view), _foot(view, _lines_left(view, len(warnings)))
    )


def _lines_left(view: TableView, warnings: int) -> int:
    """Lines that nothing above needs; at least two, for the devices."""
    seats = max(map(height, view.seats), default=0)
    return max(2, MOST_LINES - FRAME - warnings - seats)


def _head(view: TableView) -> Table:
    shoe = view.shoe
    cards = f"{shoe.cards_out} of {shoe.decks * 52} cards out" if shoe.loaded else "no shoe loaded"
    cut = " · cut card out" if shoe.cut_card_out else ""
    shuffler = f" · shuffler {shoe.shuffler}" if shoe.shuffler else ""
    jackpots = ((f"  {each.spot} {amount_text(each.cents)}", "bold bright_magenta") for each in view.jackpots)
    name = (view.table, "bold"), (f"  {view.game}", "yellow"), (f"  round {view.round}", "")
    row = Table.grid(expand=True)
    row.add_column()
    row.add_column(justify="right")
    row.add_row(line(*name, *jackpots), line((cards + cut + shuffler, "dim")))
    return row


def _due(view: TableView) -> Panel:
    named = "window" if view.window else view.phase
    phase, style = ("SUSPENDED", "bold white on red") if view.suspended else (named, "black on yellow")
    keys = ((f"  [{key}]", "cyan") for key in view.keys)
    prompt = line((f" {phase} ", style), (f"  {view.prompt}", "bold"), *keys)
    return Panel(prompt, border_style="red" if view.suspended else "yellow", box=box.HEAVY)


def _warnings(view: TableView) -> Iterable[Text]:
    why = [(f" ! {each} ", "bold white on red") for each in view.suspended]
    lines = [*why, *((f" ! {each}", "yellow") for each in view.alerts)]
    yield from (line(each) for each in lines[:MOST_WARNINGS])
    if len(lines) > MOST_WARNINGS:
        yield line((f"   and {len(lines) - MOST_WARNINGS} more", "yellow"))


def _foot(view: TableView, lines: int) -> Table:
    """At most `lines` lines, titles included. Devices that do not run come first."""
    devices = sorted(view.devices, key=lambda device: device.state == "running")
    row = Table.grid(expand=True, padding=(0, 1, 0, 0))
    row.add_column(ratio=1)
    row.add_column(ratio=1)
    row.add_row(_rounds(view.rounds[: min(MOST_ROUNDS, lines - 1)]), _devices(devices[: lines - 1]))
    return row


def _rounds(rounds: Iterable[RoundView]) -> Table:
    past = _list("Last rounds", 3)
    for each in rounds:
        outcome = line(("void ", "yellow")) if each.outcome == "void" else Text()
        nets = (
            line((f"{seat.seat} ", "dim")).append_text(gain(seat.net)) for seat in each.seats if seat.hands
        )
        past.add_row(str(each.number), outcome.append_text(inline(each.dealer)), Text("  ").join(nets))
    return past


def _devices(devices: Iterable[DeviceView]) -> Table:
    known = _list("Devices", 3)
    for device in devices:
        state = (device.state, STATES.get(device.state, "yellow"))
        tags = "INSECURE " * device.insecure + "unverified on hardware " * bool(device.adapter)
        insecure = (tags, "yellow")
        known.add_row(
            line((device.name, "bold")), line(state), line(insecure, (device.detail or device.serial, ""))
        )
    return known


def _list(title: str, columns: int) -> Table:
    """All but the last column keep their width. The last one shrinks."""
    rows = Table(
        box=None, title=title, title_style="dim", title_justify="left", show_header=False, expand=True
    )
    for _ in range(columns - 1):
        rows.add_column(no_wrap=True)
    rows.add_column(no_wrap=True, overflow="ellipsis", ratio=1)
    return rows
