"""Serves the simulator's page on loopback while a demonstration runs."""

import asyncio
import socket
from collections.abc import Mapping, Sequence
from typing import Final

from controller.config import read
from controller.config.chips import USUAL
from controller.currency import Chip, Currency, using
from controller.demo.crew.playbook import playbook
from controller.demo.reservations import LOOPBACK
from controller.demo.settings import CREW, DemoSettings
from controller.demo.simulator.application import PAGE, build
from controller.demo.simulator.players import SimulatedPlayers
from controller.demo.simulator.roles import Role, SimulatedDealer, play
from controller.demo.simulator.table import Layout, SimulatedTable
from controller.demo.table import KINDS, DemoTable
from controller.monitor.house import house_of
from controller.monitor.live.changes import ChangeNotifier
from controller.monitor.server.server import serve

THINKING: Final[Mapping[str, float]] = {"human": 0.5, "max": 0.0}
"""Seconds before each act of somebody who is simulated."""


def simulator_url(stage: DemoTable) -> str:
    """The address of the page; empty if there is none."""
    port = stage.settings.simulator_port
    return f"http://{LOOPBACK}:{port}{PAGE}" if port else ""


async def serve_simulator(stage: DemoTable) -> None:
    """Serves until cancelled. Raises OSError if the port is taken."""
    changes, config = ChangeNotifier(), read(stage.config)
    section = config.table
    settings = stage.settings
    layout = Layout(
        settings.rules, section.seats, rack(section.chips, section.money), crew_deals=settings.dealer == CREW
    )
    table = SimulatedTable(layout, {kind: stage.control(kind) for kind in KINDS}, changes.notify)
    app = build(table, changes, section.name, stage.address, house_of(config.web))
    with using(section.money), socket.create_server((LOOPBACK, settings.simulator_port)) as listener:
        async with asyncio.TaskGroup() as parts:
            parts.create_task(table.run())
            parts.create_task(serve(app, changes, listener))
            for role in _roles(table, settings):
                parts.create_task(play(role, table, changes, THINKING[settings.speed]))


def rack(chips: Sequence[Chip], currency: Currency) -> Sequence[Chip]:
    """The chips on the table: those of its configuration, or the usual ones of its currency, else as many
    whole units as those of dollars have."""
    if chips or currency.code in USUAL:
        return chips or USUAL[currency.code]
    whole = (Chip(chip.value * currency.unit // 100, chip.colour) for chip in USUAL["USD"])
    return tuple(chip for chip in whole if chip.value)


def _roles(table: SimulatedTable, settings: DemoSettings) -> Sequence[Role]:
    """Who plays beside a person. With nobody there, the crew plays without the page."""
    match settings.dealer, settings.players:
        case "crew", "me":
            return (SimulatedDealer(),)
        case "me", "crew":
            players = SimulatedPlayers(playbook(settings.rules), settings.seed)
            table.wishes = players.wishes
            return (players,)
    return ()
