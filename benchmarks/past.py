"""How long searches of the past take in journals of many rows: the newest rounds, a search that finds nothing
and so looks at every round, and the same once the closed files have been read; and a report of 30 days, the
first one and the next one of a process."""

import argparse
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.table import Table

from benchmarks import long_journal
from benchmarks.long_journal import LongJournal
from benchmarks.processors import take_one
from controller.calendar import ReportSettings
from controller.past.recall.query import RoundQuery, cards_of
from controller.past.recall.search import SearchMemory, search
from controller.past.reports.making import make_report
from controller.past.reports.report import ReportRequest
from controller.past.reports.sources import ReportMemory

ROWS = (100_000, 1_000_000)
DAYS = 30
DAY = 86_400.0
HOUSE = ReportSettings()
NOTHING = {
    "a wager that won more than any": RoundQuery(over=10**9),
    "cards that no round had": RoundQuery(cards=cards_of("As As As As As As As As As")),
    "a person without a decision": RoundQuery(person="stranger"),
}
"""Searches that find nothing, so each looks at every round."""
ALL = 1 << 53
"""Rows."""


@dataclass(frozen=True, slots=True)
class PastCosts:
    """Seconds of this process. `first`: a search that reads the whole journal; `again`: the slowest of those
    of NOTHING after it; `days`: those of the report; `report_again`: the same report after it."""

    journal: LongJournal
    newest: float
    first: float
    again: float
    days: float
    report: float
    report_again: float


def measure(rows: int) -> PastCosts:
    with tempfile.TemporaryDirectory(prefix="tableside-") as folder:
        journal = long_journal.write(Path(folder) / "table.db", rows)
        searched = SearchMemory()
        end = min(journal.end, journal.begin + DAYS * DAY)
        request = ReportRequest(HOUSE.calendar.between(journal.begin, end), HOUSE)
        memory = ReportMemory()
        return PastCosts(
            journal,
            newest=_seconds(lambda: search(journal.path, RoundQuery())),
            first=_search(journal, RoundQuery(over=10**9), searched),
            again=max(_search(journal, query, searched) for query in NOTHING.values()),
            days=(end - journal.begin) / DAY,
            report=_seconds(lambda: make_report(journal.path, request, memory)),
            report_again=_seconds(lambda: make_report(journal.path, request, memory)),
        )


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.past")
    parser.add_argument("--rows", type=int, nargs="+", default=ROWS, help="of each journal")
    take_one()
    Console().print(figures([measure(rows) for rows in parser.parse_args().rows]))


def figures(measured: list[PastCosts]) -> Table:
    """A column for each journal. Takes seconds."""
    columns = (f"{each.journal.rows:,} rows, {each.journal.rounds:,} rounds" for each in measured)
    table = Table("figure", *columns, title="Tableside, the past: seconds of a processor")
    for name, value in (
        ("the newest 50 rounds", lambda each: f"{each.newest:.2f}"),
        ("a first search, which reads all", lambda each: f"{each.first:.2f}"),
        ("searches after it, the slowest", lambda each: f"{each.again:.2f}"),
        ("a first report", lambda each: f"{each.report:.2f} ({each.days:.0f} days)"),
        ("the report after it", lambda each: f"{each.report_again:.2f}"),
    ):
        table.add_row(name, *map(value, measured))
    return table


def _search(journal: LongJournal, query: RoundQuery, memory: SearchMemory) -> float:
    return _seconds(lambda: search(journal.path, query, furthest=ALL, memory=memory))


def _seconds(work: Callable[[], object]) -> float:
    begun = time.process_time()
    work()
    return time.process_time() - begun


if __name__ == "__main__":
    main()
