"""What `tableside check-config` shows to people."""

import json
from collections.abc import Iterator
from itertools import groupby
from operator import attrgetter

from rich.table import Table

from controller.check.edges import Edge
from controller.check.report import Report
from controller.money import text
from controller.odds.bet import ANY, against


def heading(found: Report) -> Iterator[str]:
    """What was read, a line each."""
    config, game = found.config, found.game
    devices = ", ".join(f"{name} {device.serial}" for name, device in config.devices.present().items())
    yield f"{config.table.name}: {game.title} ({game.name}), {config.table.seats} seats"
    yield f"journal: {config.journal.path}"
    yield f"page: {config.web.host}, port {config.web.port}"
    yield f"devices: {devices}"
    yield f"options: {'' if found.options else 'all as by default'}".rstrip()
    yield from (f"  {name} = {json.dumps(value)}" for name, value in found.options.items())


def edges_table(edges: tuple[Edge, ...]) -> Table:
    """The house edge of each bet, and how it is known; of one made after the deal whatever the up-card is,
    and against the one at which the house has the least."""
    table = Table(title="house edges")
    for name in ("bet", "up-card", "house edge", "by"):
        table.add_column(name, justify="right" if name == "house edge" else "left")
    for edge in _telling(edges):
        table.add_row(edge.bet, edge.given.get("up_card", ""), f"{edge.house_edge:.4%}", _by(edge))
    return table


def remarks(found: Report) -> Iterator[str]:
    """Warnings, and that there is nothing else."""
    yield from (f"warning: {sentence}" for sentence in found.warnings)
    yield "no faults"


def _telling(edges: tuple[Edge, ...]) -> Iterator[Edge]:
    for _, found in groupby(edges, key=attrgetter("bet")):
        entries = list(found)
        yield from (edge for edge in entries if edge.given in ({}, against(ANY)))
        if by_up_card := [edge for edge in entries if edge.given not in ({}, against(ANY))]:
            yield min(by_up_card, key=attrgetter("house_edge"))


def _by(edge: Edge) -> str:
    if edge.rounds is not None:
        return f"{edge.rounds:,} rounds, standard error {edge.standard_error:.4%}"
    if edge.meter is None:
        return "enumeration"
    even = "never even" if edge.break_even is None else f"even at {text(edge.break_even)}"
    return f"enumeration, jackpot {text(edge.meter)}, {even}"
