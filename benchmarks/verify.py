"""How fast a journal is verified, on one processor and on two."""

import os
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from time import perf_counter

from controller.journal.journal import Journal
from controller.journal.signing import Signer
from controller.past.verify.audit import verify
from controller.past.verify.external import VerifyDemands
from controller.table.state.snapshot import opening_row
from tests.fixtures.crewed_table import CrewedTable
from tests.fixtures.journal_table import JournalTable
from tests.fixtures.random_crew import Chance

ROWS = 250_000
GAME = "blackjack-x"
"""The game with a jackpot."""
FULL = 60
"""Cards after which a new shoe is due; it has eight decks."""
RUNS = 3


@dataclass(frozen=True, slots=True)
class VerifySpeeds:
    """Medians in rows a second: everything but the rules, and with every round settled again, on one and
    on two processors."""

    rows: int
    rounds: int
    one: float
    two: float
    by_rules_one: float
    by_rules_two: float


class Crowd(JournalTable, CrewedTable):
    """A crew that plays at random. A journal keeps its rows."""

    def __init__(self, journal: Journal) -> None:
        self.journal, self.out = journal, Counter[str]()
        self.crew = Chance(GAME, 1, seats=7)
        JournalTable.__init__(self, GAME)

    def play_busy_round(self) -> None:
        """Plays one round, from a new shoe if one is due, and journals its rows."""
        if sum(self.out.values()) > FULL:
            self.out.clear()
            self.apply(self.script.loaded())
        self.clear()
        self.play_by_chance()
        self.pay_claims()
        self.journal.append(self.rows)
        self.rows = []
        if self.journal.full:
            self.journal.roll([opening_row(self.at, self.state)])


def measure(rows: int = ROWS) -> VerifySpeeds:
    """Plays until there are so many rows, then verifies them."""
    with tempfile.TemporaryDirectory(prefix="tableside-") as folder:
        path = Path(folder) / "table.db"
        _play(path, rows)
        speeds = [
            _speed(path, VerifyDemands(by_rules=rules, processes=processes))
            for rules in (False, True)
            for processes in (1, 2)
        ]
        report = verify(path, VerifyDemands(by_rules=False))
    return VerifySpeeds(report.last, report.summary.rounds, *speeds)


def _play(path: Path, rows: int) -> None:
    with Journal(path, signer=Signer(bytes(range(32)))) as journal:
        crowd = Crowd(journal)
        while not journal.head or journal.head.row < rows:
            crowd.play_busy_round()


def _speed(path: Path, options: VerifyDemands) -> float:
    times = []
    with _processors(options.processes):
        for _ in range(RUNS):
            begun = perf_counter()
            report = verify(path, options)
            times.append(perf_counter() - begun)
            assert not report.findings, report.findings[0]
    return report.last / median(times)


@contextmanager
def _processors(count: int) -> Iterator[None]:
    """Allows so many processors, whatever was allowed before."""
    chosen = os.sched_getaffinity(0)
    os.sched_setaffinity(0, set(range(os.cpu_count() or 1)))
    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[-count:])
    try:
        yield
    finally:
        os.sched_setaffinity(0, chosen)
