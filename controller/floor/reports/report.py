"""The report of a gaming day or a shift over tables: lines by table, pit, shift, dealer and game, and what
happened besides."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Final

from controller.calendar import Calendar, Period
from controller.currency import UNNAMED, Currency
from controller.floor.reconciliation.comparison import DayReconciliation, stored_reconciliation
from controller.floor.reports.figures import PlayedPart, PlayFigures, played_parts
from controller.floor.store import FloorArchive

TOTAL: Final = "total"
NO_PIT: Final = "no pit"
NO_DEALER: Final = "dealer not recorded"
GROUPS: Final = ("table", "pit", "shift", "dealer", "game")
_HITS: Final = (
    "SELECT t, claim, round, seat, spot, currency, cents, step, at FROM hit WHERE at >= ? AND at < ?"
    " ORDER BY at"
)
_EVENTS: Final = (
    "SELECT t, severity, code, device, text, count(*), max(at) FROM event WHERE at >= ? AND at < ?"
    " GROUP BY t, severity, code, device, text"
)
_ACTIONS: Final = (
    "SELECT t, who, second, kind, text, at FROM action WHERE at >= ? AND at < ? AND kind <> 'dealer'"
    " ORDER BY at"
)
Fields = tuple[str | int | float, ...]


@dataclass(frozen=True, slots=True)
class ReportLine:
    """What was played in one currency under one name of a group, such as at one table."""

    name: str
    money: Currency
    figures: PlayFigures


@dataclass(frozen=True, slots=True)
class FloorReport:
    """`groups`: lines by each of GROUPS; `totals`: a line for each currency, over all. No sum is over several
    currencies. `hits`: steps of claims, as table, claim, round, seat, spot, code of the currency, minor
    units, step, time; `events`: as table, severity, code, device, text, how often, and the last time;
    `actions`: what people did, as table, who, who else, kind, text, time. Times are seconds of Unix time.
    `reconciliation`: of a gaming day; None for another period."""

    period: Period
    zone: str
    groups: Mapping[str, tuple[ReportLine, ...]]
    totals: tuple[ReportLine, ...]
    hits: tuple[Fields, ...]
    events: tuple[Fields, ...]
    actions: tuple[Fields, ...]
    reconciliation: DayReconciliation | None

    @property
    def unknown(self) -> int:
        """The rounds with a wager of unknown amount."""
        return sum(line.figures.unknown for line in self.totals)

    @property
    def several_currencies(self) -> bool:
        return len(self.totals) > 1


def floor_report(
    archive: FloorArchive,
    period: Period,
    calendar: Calendar,
    pits: Mapping[str, Sequence[str]],
    tables: Sequence[str] = (),
) -> FloorReport:
    """Over these tables, or over all. Raises StoreError, sqlite3.Error."""
    parts = list(played_parts(archive, _shifts(period, calendar), tables))
    pit_of = {table: pit for pit, named in pits.items() for table in named}
    names: Mapping[str, Callable[[PlayedPart], str]] = {
        "table": lambda part: part.table,
        "pit": lambda part: pit_of.get(part.table, NO_PIT),
        "shift": lambda part: part.shift,
        "dealer": lambda part: part.dealer or NO_DEALER,
        "game": lambda part: part.game,
    }
    return FloorReport(
        period,
        calendar.zone,
        {group: _lines(parts, names[group]) for group in GROUPS},
        _lines(parts, lambda _part: TOTAL) or (ReportLine(TOTAL, UNNAMED, PlayFigures()),),
        hits=_rows(archive, _HITS, period, tables),
        events=_rows(archive, _EVENTS, period, tables),
        actions=_rows(archive, _ACTIONS, period, tables),
        reconciliation=_reconciliation(archive, period, calendar, tables),
    )


def _reconciliation(
    archive: FloorArchive, period: Period, calendar: Calendar, tables: Sequence[str]
) -> DayReconciliation | None:
    """The meters are kept by the hour of a gaming day, so that a shift has none."""
    if calendar.day(calendar.day_of(period.begins)) != period:
        return None
    found = stored_reconciliation(archive, archive.folder, period)
    return found.of_tables(tables) if tables else found


def _shifts(period: Period, calendar: Calendar) -> Sequence[Period]:
    """The shifts of a gaming day; a shift, or another period, is its own."""
    day = calendar.day_of(period.begins)
    return calendar.shifts_of(day) if calendar.day(day) == period else (period,)


def _lines(parts: Iterable[PlayedPart], name: Callable[[PlayedPart], str]) -> tuple[ReportLine, ...]:
    """In the order of names, then of codes of currencies."""
    sums = defaultdict[tuple[str, str, Currency], PlayFigures](PlayFigures)
    for part in parts:
        sums[name(part), part.money.code, part.money] += part.figures
    ordered = sorted(sums.items(), key=lambda item: item[0][:2])
    return tuple(ReportLine(named, money, figures) for (named, _, money), figures in ordered)


def _rows(archive: FloorArchive, query: str, period: Period, tables: Sequence[str]) -> tuple[Fields, ...]:
    """The rows of all files, oldest file first."""
    with ExitStack() as opened:
        files = [opened.enter_context(archive.open(day)) for day in archive.days()]
        found = (row for file in files for row in file.database.execute(query, (period.begins, period.ends)))
        return tuple(row for row in found if not tables or row[0] in tables)
