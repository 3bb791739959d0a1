"""A demonstration in a terminal: the page's address, then the table live, then the figures."""

import asyncio
import json
import signal
from collections.abc import Coroutine, Sequence
from dataclasses import asdict
from types import FrameType
from typing import Any, TypeVar

import typer
from rich.console import Console
from rich.live import Live

from controller.demo.run import DemoResult, run_by_hand, run_demo
from controller.demo.simulator.server import simulator_url
from controller.demo.staff import Member
from controller.demo.table import DemoTable
from controller.demo.terminal import render
from controller.table.record.views import TableView

Result = TypeVar("Result")
PROOFS = {"pin": "PIN", "password": "password"}
ENDS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
"""Ctrl-C, a polite request, and the end of the terminal."""


async def run_interactive(stage: DemoTable, rounds: int | None, *, as_json: bool) -> DemoResult | None:
    """Plays and reports. None if people play, or if one of ENDS came. Raises DemoError."""
    result = await until_ended(_on_stage(stage, rounds, quiet=as_json))
    if result:
        _report(result, as_json=as_json)
    return result


async def until_ended(play: Coroutine[Any, Any, Result]) -> Result | None:
    """What `play` returns; None if one of ENDS came, which cancels it."""
    stopping = asyncio.create_task(_end_signal())  # first, so that nothing starts unwatched
    playing = asyncio.create_task(play)
    await asyncio.wait({playing, stopping}, return_when=asyncio.FIRST_COMPLETED)
    stopping.cancel()
    playing.cancel()
    try:
        return await playing
    except asyncio.CancelledError:
        return None


async def _end_signal() -> None:
    """Returns at the first of ENDS. Later ones, even during the last clean-up, change nothing."""
    loop, ended = asyncio.get_running_loop(), asyncio.Event()

    def stop(_number: int, _frame: FrameType | None) -> None:
        if not loop.is_closed():
            loop.call_soon_threadsafe(ended.set)

    for number in ENDS:
        signal.signal(number, stop)  # outlives the loop, as the loop's own handlers do not
    await ended.wait()


async def _on_stage(stage: DemoTable, rounds: int | None, *, quiet: bool) -> DemoResult | None:
    console = Console(stderr=quiet)
    console.print(f"The table's page: {stage.address}", highlight=False)
    if url := simulator_url(stage):
        console.print(f"The table to touch: {url}", highlight=False)
    async with stage:
        if quiet:
            return await run_demo(stage, rounds)
        welcome(console, stage.staff)
        with Live(console=console, auto_refresh=False) as live:

            def show(view: TableView) -> None:
                live.update(render(view), refresh=True)

            if not stage.settings.by_hand:
                return await run_demo(stage, rounds, show)
            await run_by_hand(stage, show)
            return None


def welcome(console: Console, members: Sequence[Member]) -> None:
    """Prints who may sign in, and how."""
    for member in members:
        text = f"  {member.name}, {member.role}: {PROOFS[member.proof]} {member.secret}"
        console.print(text, highlight=False, markup=False)


def _report(result: DemoResult, *, as_json: bool) -> None:
    if as_json:
        typer.echo(json.dumps(asdict(result)))
        return
    typer.echo()
    for name, value in asdict(result).items():
        text = value if name != "disputes" else "".join(f"\n  {sentence}" for sentence in value) or "none"
        typer.echo(f"{name.replace('_', ' ')}: {text}")
