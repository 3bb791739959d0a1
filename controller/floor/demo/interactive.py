"""A floor of simulated tables in a terminal: the address of its page, how it goes, then the figures."""

import asyncio
import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Final

import structlog
import typer
from rich.console import Console
from rich.live import Live

from controller.demo.interactive import until_ended, welcome
from controller.floor.demo.house import FloorHouse
from controller.floor.demo.roster import PlannedTable
from controller.floor.demo.run import FloorPlay, FloorResult, Progress

LOG: Final = "demo.log"
"""What the demonstration itself says of its connection."""
REFRESH: Final = 1.0
"""Seconds between two lines about how it goes."""


async def run_floor_interactive(
    folder: Path, plans: Sequence[PlannedTable], port: int, lock: int, rounds: int | None, *, as_json: bool
) -> FloorResult | None:
    """Plays and reports. `port`: of the floor's page; `lock`: a descriptor that reserves the folder. None if
    a signal ended it. Raises DemoError, NatsServerError."""
    house = FloorHouse(folder, plans, port, lock)
    with (folder / LOG).open("a", encoding="utf-8") as log:
        structlog.configure(logger_factory=structlog.PrintLoggerFactory(log))
        result = await until_ended(_play(house, plans, lock, rounds, quiet=as_json))
    if result:
        _report(result, as_json=as_json)
    return result


async def _play(
    house: FloorHouse, plans: Sequence[PlannedTable], lock: int, rounds: int | None, *, quiet: bool
) -> FloorResult:
    console = Console(stderr=quiet)
    console.print(f"The floor's page: {house.address}", highlight=False)
    async with house:
        play = FloorPlay(house, plans, lock)
        if quiet:
            return await play.run(rounds)
        welcome(console, house.people)
        with Live(console=console, auto_refresh=False) as live:
            showing = asyncio.create_task(_show(live, play, len(plans)))
            try:
                return await play.run(rounds)
            finally:
                showing.cancel()
                await asyncio.wait([showing])


async def _show(live: Live, play: FloorPlay, tables: int) -> None:
    while True:
        live.update(progress_line(play.progress, tables), refresh=True)
        await asyncio.sleep(REFRESH)


def progress_line(progress: Progress, tables: int) -> str:
    lag = progress.lag
    rows = "" if lag.p50 is None else f" · rows reach the floor in {lag.p50:.0f} ms (99 %: {lag.p99:.0f} ms)"
    return f"{progress.playing} of {tables} tables play · {progress.rounds} rounds{rows}"


def _report(result: FloorResult, *, as_json: bool) -> None:
    figures = asdict(result)
    if as_json:
        typer.echo(json.dumps(figures))
        return
    typer.echo()
    for name, value in figures.items():
        text = ", ".join(f"{key} {each}" for key, each in value.items()) if isinstance(value, dict) else value
        typer.echo(f"{name.replace('_', ' ')}: {text}")
