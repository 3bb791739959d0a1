"""Prints what the floor costs beside its targets. Status 1 if a target is missed."""

import argparse
import asyncio
import logging
import os
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console

from benchmarks.floor import fleet
from benchmarks.floor.figures import Figure, table_of
from controller.telemetry import logs


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=1000)
    parser.add_argument("--seconds", type=float, default=600, help="how long all tables play")
    parser.add_argument("--rounds", type=int, default=fleet.ROUNDS_AN_HOUR, help="of a table that is apart")
    chosen = parser.parse_args()
    logs.set_up(logging.CRITICAL)
    with tempfile.TemporaryDirectory(prefix="tableside-") as folder:
        live, late = asyncio.run(fleet.measure(Path(folder), chosen.tables, chosen.seconds, chosen.rounds))
    return show(("Rows of many tables, three servers", [*live.figures(), *late.figures()]))


def show(*parts: tuple[str, Sequence[Figure]]) -> int:
    """Print the parts. Returns 1 if a target is missed."""
    one, five, fifteen = os.getloadavg()
    Console().print(f"load of the machine: {one:.1f}, {five:.1f}, {fifteen:.1f}")
    for title, figures in parts:
        Console().print(table_of(f"The floor: {title}", figures))
    missed = [figure.name.strip() for _, figures in parts for figure in figures if figure.missed]
    Console().print(f"missed: {', '.join(missed)}" if missed else "every target is reached")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
