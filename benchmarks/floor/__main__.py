"""Prints what the floor costs beside its targets. Status 1 if a target is missed."""

import argparse
import asyncio
import logging
import os
import sys
import tempfile
from collections.abc import Callable, Coroutine, Mapping
from pathlib import Path
from typing import Any

from rich.console import Console

from benchmarks.floor import amounts, beside, displays, failover, fleet, page, searching
from benchmarks.floor.figures import Figure, table_of
from controller.telemetry import logs

PAGE_SECONDS = 30.0
DISPLAY_SECONDS = 60.0
HOURS_OF_PLAY = 18
"""On the gaming day that is searched."""
LIMIT = 3600.0
"""Seconds after which a part that has not ended counts as stuck."""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=1000)
    parser.add_argument("--seconds", type=float, default=600, help="how long all tables play")
    parser.add_argument("--rounds", type=int, default=fleet.ROUNDS_AN_HOUR, help="of a table that is apart")
    parser.add_argument("--parts", nargs="+", choices=PARTS, default=[*PARTS])
    chosen = parser.parse_args()
    logs.set_up(logging.CRITICAL)
    missed = [name for part in chosen.parts for name in _print(part, chosen)]
    Console().print(f"missed: {', '.join(missed)}" if missed else "every target is reached")
    return 1 if missed else 0


def _print(part: str, chosen: argparse.Namespace) -> list[str]:
    """Measure and print a part. Returns which targets are missed."""
    with tempfile.TemporaryDirectory(prefix="tableside-") as folder:
        try:
            figures = asyncio.run(asyncio.wait_for(PARTS[part](Path(folder), chosen), LIMIT))
        except TimeoutError as error:
            Console().print(f"The floor: {part} was not measured: {error!r}")
            return [part]
    load = ", ".join(f"{value:.1f}" for value in os.getloadavg())
    Console().print(table_of(f"The floor: {part}; load of the machine {load}", figures))
    return [figure.name.strip() for figure in figures if figure.missed]


async def _rows(folder: Path, chosen: argparse.Namespace) -> list[Figure]:
    live, late = await fleet.measure(folder, chosen.tables, chosen.seconds, chosen.rounds)
    return [*live.figures(), *late.figures()]


async def _uplink(folder: Path, _chosen: argparse.Namespace) -> list[Figure]:
    return (await beside.measure(folder)).figures()


async def _page(folder: Path, chosen: argparse.Namespace) -> list[Figure]:
    return (await page.measure(folder, chosen.tables, PAGE_SECONDS)).figures()


async def _servers(folder: Path, _chosen: argparse.Namespace) -> list[Figure]:
    return await failover.measure(folder)


async def _amounts(folder: Path, _chosen: argparse.Namespace) -> list[Figure]:
    return await amounts.measure(folder)


async def _displays(folder: Path, _chosen: argparse.Namespace) -> list[Figure]:
    return await displays.measure(folder, DISPLAY_SECONDS)


async def _search(folder: Path, chosen: argparse.Namespace) -> list[Figure]:
    return searching.measure(folder, chosen.tables, HOURS_OF_PLAY)


Part = Callable[[Path, argparse.Namespace], Coroutine[Any, Any, list[Figure]]]
PARTS: Mapping[str, Part] = {
    "uplink": _uplink,
    "page": _page,
    "servers": _servers,
    "amounts": _amounts,
    "displays": _displays,
    "search": _search,
    "rows": _rows,
}


if __name__ == "__main__":
    sys.exit(main())
