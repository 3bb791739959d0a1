"""`python -m benchmarks.turns`: the longest turns of the table's loop while it plays.

Devices cannot be served within a turn, unless it waits for a commit. Meanwhile the journal closes a file: a
full one with --rounds 3600 --rows 50000.
"""

import argparse
import asyncio
import json
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.table import Table

from benchmarks.timed_daemon import ROWS, TURNS, Turn
from controller.demo.run import DemoResult, run_demo
from controller.demo.settings import DemoSettings
from controller.demo.table import DemoTable
from controller.journal.closed_files import list_closed_files

SHOWN = 10
ROUNDS = 300
ROLL_ROWS = 3000
"""Rows after which the journal closes a file, about 200 rounds."""


@dataclass(frozen=True, slots=True)
class TurnFigures:
    """`longest` by time, `busiest` by processor time; `closed`: files that the journal closed meanwhile."""

    played: DemoResult
    closed: int
    longest: Sequence[Turn]
    busiest: Sequence[Turn]


class TimedTable(DemoTable):
    """Its daemon times its turns, and closes a file of its journal after `rows`."""

    def __init__(self, folder: Path, settings: DemoSettings, rows: int) -> None:
        super().__init__(folder, settings)
        self._rows = rows

    @property
    def turns(self) -> Path:
        return self.folder / "turns.json"

    async def _spawn(self, name: str, module: list[str], **environment: str) -> asyncio.subprocess.Process:
        if name != "daemon":
            return await super()._spawn(name, module, **environment)
        timed = ["benchmarks.timed_daemon", *module[1:]]
        variables = {TURNS: str(self.turns), ROWS: str(self._rows)}
        return await super()._spawn(name, timed, **environment, **variables)


def measure(rounds: int = ROUNDS, rows: int = ROLL_ROWS) -> TurnFigures:
    with tempfile.TemporaryDirectory(prefix="tableside-") as folder:
        return asyncio.run(_measure(Path(folder), rounds, rows))


async def _measure(folder: Path, rounds: int, rows: int) -> TurnFigures:
    async with TimedTable(folder, DemoSettings(), rows) as stage:
        played = await run_demo(stage, rounds)
        found: dict[str, list[tuple[float, float, float, str]]] = json.loads(stage.turns.read_text())
        turns = {name: [Turn(*fields) for fields in each] for name, each in found.items()}
        return TurnFigures(played, len(list_closed_files(stage.journal)), **turns)


def turn_table(title: str, turns: Sequence[Turn]) -> Table:
    table = Table("ms", "of them processor", "where it was", title=title)
    for turn in turns[:SHOWN]:
        table.add_row(f"{turn.took * 1000:.1f}", f"{turn.worked * 1000:.1f}", turn.where)
    return table


def main() -> None:
    parser = argparse.ArgumentParser("python -m benchmarks.turns", description="Time the turns of a loop.")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--rows", type=int, default=ROLL_ROWS)
    wanted = parser.parse_args()
    found = measure(wanted.rounds, wanted.rows)
    console = Console()
    console.print(f"{found.played.rounds} rounds, {found.closed} files closed")
    console.print(turn_table("the longest turns", found.longest))
    console.print(turn_table("the turns with most work", found.busiest))


if __name__ == "__main__":
    main()
