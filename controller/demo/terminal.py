"""The table in a terminal, for rich; fits 100 columns and 30 lines."""

from collections.abc import Iterable, Mapping

from rich import box
from rich.console import Group, RenderableType
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from controller.demo.felt import felt, height
from controller.demo.pieces import gain, inline, line
from controller.monitor.wording import amount
from controller.table.view import DeviceView, RoundView, TableView

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
"""Lines of the head, of what is due, of the felt's border and its dealer, and of the seats' numbers."""


def render(view: TableView) -> RenderableType:
    """The whole table. Texts come from devices and files too: nothing in them can move the cursor."""
    warnings = tuple(_warnings(view))
    return Group(_head(view), _due(view), *warnings, felt(view), _foot(view, _left(view, len(warnings))))


def _left(view: TableView, warnings: int) -> int:
    """Lines that nothing above needs; two at least, for there is always something to say of the devices."""
    seats = max(map(height, view.seats), default=0)
    return max(2, MOST_LINES - FRAME - warnings - seats)


def _head(view: TableView) -> Table:
    shoe = view.shoe
    cards = f"{shoe.cards_out} of {shoe.decks * 52} cards out" if shoe.loaded else "no shoe loaded"
    cut = " · cut card out" if shoe.cut_card_out else ""
    shuffler = f" · shuffler {shoe.shuffler}" if shoe.shuffler else ""
    jackpots = ((f"  {each.spot} {amount(each.cents)}", "bold bright_magenta") for each in view.jackpots)
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
    told = [*why, *((f" ! {each}", "yellow") for each in view.alerts)]
    yield from (line(each) for each in told[:MOST_WARNINGS])
    if len(told) > MOST_WARNINGS:
        yield line((f"   and {len(told) - MOST_WARNINGS} more", "yellow"))


def _foot(view: TableView, lines: int) -> Table:
    """At most so many lines, titles included; devices that do not run come first."""
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
    """All but the last column keep their width; the last one gives way."""
    rows = Table(
        box=None, title=title, title_style="dim", title_justify="left", show_header=False, expand=True
    )
    for _ in range(columns - 1):
        rows.add_column(no_wrap=True)
    rows.add_column(no_wrap=True, overflow="ellipsis", ratio=1)
    return rows
