"""`python -m benchmarks.turns`: the longest turns of the table's loop while it plays.

Devices cannot be served within a turn, unless it waits for a commit. With --rounds 2000 the journal closes a
file meanwhile.
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

from benchmarks.timed_daemon import VARIABLE, Turn
from controller.demo.run import DemoResult, run_demo
from controller.demo.settings import DemoSettings
from controller.demo.table import DemoTable
from controller.journal.closed_files import list_closed_files

SHOWN = 10


@dataclass(frozen=True, slots=True)
class TurnFigures:
    """`longest` by time, `busiest` by processor time; `closed`: files that the journal closed meanwhile."""

    played: DemoResult
    closed: int
    longest: Sequence[Turn]
    busiest: Sequence[Turn]


class TimedTable(DemoTable):
    """Its daemon times its turns."""

    @property
    def turns(self) -> Path:
        return self.folder / "turns.json"

    async def _spawn(self, name: str, module: list[str], **environment: str) -> asyncio.subprocess.Process:
        if name != "daemon":
            return await super()._spawn(name, module, **environment)
        timed = ["benchmarks.timed_daemon", *module[1:]]
        return await super()._spawn(name, timed, **environment, **{VARIABLE: str(self.turns)})


def measure(rounds: int) -> TurnFigures:
    with tempfile.TemporaryDirectory(prefix="tableside-") as folder:
        return asyncio.run(_measure(Path(folder), rounds))


async def _measure(folder: Path, rounds: int) -> TurnFigures:
    async with TimedTable(folder, DemoSettings()) as stage:
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
    parser.add_argument("--rounds", type=int, default=300)
    found = measure(parser.parse_args().rounds)
    console = Console()
    console.print(f"{found.played.rounds} rounds, {found.closed} files closed")
    console.print(turn_table("the longest turns", found.longest))
    console.print(turn_table("the turns with most work", found.busiest))


if __name__ == "__main__":
    main()
