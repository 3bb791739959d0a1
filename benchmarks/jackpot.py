"""How soon the players see that a jackpot is hit."""

import tempfile
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter

from controller.demo.settings import DemoSettings
from tests.fixtures.process_table import ProcessTable
from tests.system.sevens import hit, until_the_last_seven

HITS = 5


def measure() -> list[float]:
    """Seconds from the draw of the last 7 until the display shows the amount as won, each at a new table."""
    return [*_hits()]


def _hits() -> Iterator[float]:
    for _ in range(HITS):
        with (
            tempfile.TemporaryDirectory(prefix="tableside-") as folder,
            ProcessTable(Path(folder), DemoSettings(game="blackjack-x")) as table,
        ):
            table.start_daemon()
            with table.with_hands():
                until_the_last_seven(table)
                begun = perf_counter()
                hit(table)
                yield perf_counter() - begun
