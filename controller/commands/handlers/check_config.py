"""What `tableside table check` does, and the text that it prints."""

import json
from collections.abc import Iterator
from contextlib import nullcontext
from itertools import groupby
from operator import attrgetter
from pathlib import Path

import typer
from rich.console import Console
from rich.table import Table

from controller.check.edges import Edge
from controller.check.report import ConfigReport, check, report_json
from controller.commands.arguments import print_json
from controller.commands.exit_codes import usage
from controller.config import Config, ConfigError, read
from controller.config.logo import require_logo
from controller.config.web import KIOSK_HOST
from controller.money import text
from controller.odds.bet import ANY, against


def heading(found: ConfigReport) -> Iterator[str]:
    """Lines that describe the configuration: table, journal, page, devices and changed options."""
    config, game = found.config, found.game
    devices = ", ".join(f"{name} {device.serial}" for name, device in config.devices.configured().items())
    yield f"{config.table.name}: {game.title} ({game.name}), {config.table.seats} seats"
    yield f"journal: {config.journal.path}"
    yield f"page: {config.web.host}, port {config.web.port}"
    if config.web.kiosk_port:
        yield f"kiosk: {KIOSK_HOST}, port {config.web.kiosk_port}"
    if branding := ", ".join(filter(None, (config.web.house, config.web.logo))):
        yield f"house: {branding}, felt {config.web.felt}"
    yield f"devices: {devices}"
    yield f"program: {found.selftest}"
    yield f"options: {'' if found.options else 'all as by default'}".rstrip()
    yield from (f"  {name} = {json.dumps(value)}" for name, value in found.options.items())


def edges_table(edges: tuple[Edge, ...]) -> Table:
    """The house edge of each bet, and how it was determined. A bet made after the deal has two rows: for any
    up-card, and for the up-card with the lowest house edge."""
    table = Table(title="house edges")
    for name in ("bet", "up-card", "house edge", "by"):
        table.add_column(name, justify="right" if name == "house edge" else "left")
    for edge in _shown_edges(edges):
        table.add_row(edge.bet, edge.given.get("up_card", ""), f"{edge.house_edge:.4%}", _by(edge))
    return table


def closing_lines(found: ConfigReport) -> Iterator[str]:
    """The warnings, then "no faults"."""
    yield from (f"warning: {sentence}" for sentence in found.warnings)
    yield "no faults"


def _shown_edges(edges: tuple[Edge, ...]) -> Iterator[Edge]:
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


def handle(file: Path, *, strict: bool, seconds: int, as_json: bool) -> None:
    found = _report(_read(file, as_json=as_json), seconds)
    if as_json:
        print_json(report_json(file, found))
    else:
        _show(found)
    raise typer.Exit(1 if strict and found.warnings else 0)


def _read(file: Path, *, as_json: bool) -> Config:
    try:
        config = read(file)
        require_logo(file, config.web)
    except ConfigError as error:
        if as_json:
            print_json({"file": str(file), "faults": list(error.faults)})
        raise usage(*error.faults) from None
    return config


def _report(config: Config, seconds: int) -> ConfigReport:
    console = Console(stderr=True)
    waits = console.status("playing the main bet") if console.is_terminal else nullcontext()
    with waits:
        return check(config, seconds)


def _show(found: ConfigReport) -> None:
    console = Console(markup=False, highlight=False)
    console.print(*heading(found), sep="\n", soft_wrap=True)
    console.print(edges_table(found.edges))
    console.print(*closing_lines(found), sep="\n", soft_wrap=True)
