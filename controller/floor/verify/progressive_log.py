"""Checks the journal of a linked progressive beside what the floor stores: each entry follows from the one
before, the books balance after each, each won share belongs to a round that its table played, and wagers and
claims are those of the tables' rows."""

import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from controller.calendar import Calendar
from controller.floor.day_file import JournalName
from controller.floor.progressive.entry_journal import ENTRY
from controller.floor.recall.excerpt import stored_round
from controller.floor.reconciliation.comparison import reconcile
from controller.floor.reconciliation.ledger import Ledger
from controller.floor.store import FloorArchive
from controller.floor.verify.findings import FloorFinding
from controller.jackpot import Unbalanced
from controller.jackpot.linked.apply import apply
from controller.jackpot.linked.entries import LogEntry, LogFault, Won, first_hash, read_entry
from controller.jackpot.linked.level import LinkedLevel
from controller.jackpot.linked.wire import MalformedMessage
from controller.journal.history import History
from controller.past.verify.audit import verify
from controller.past.verify.external import VerifyDemands

_NUMBERS = "SELECT min(number), max(number) FROM round WHERE t = ? AND e = ?"


def check_progressive(
    archive: FloorArchive, path: Path, levels: Sequence[str], calendar: Calendar
) -> list[FloorFinding]:
    """`levels`: the linked progressives of the property, of which the journal is one. Raises JournalError,
    StoreError, sqlite3.Error."""
    report = verify(path, VerifyDemands())
    found = [FloorFinding("progressive", "", "", "", one.row, one.text) for one in report.findings]
    found = found or list(_check_entries(archive, path, levels))
    return found or list(_reconcile(archive, path, levels, calendar))


def _reconcile(
    archive: FloorArchive, path: Path, levels: Sequence[str], calendar: Calendar
) -> Iterator[FloorFinding]:
    """As the floor does every hour, for each gaming day of a journal in which every entry follows."""
    rows = (row for row in History(path).rows() if row.content.kind == ENTRY)
    entries = [read_entry(row.content.body.encode()) for row in rows]
    level = _begin(entries[0], levels).level
    with tempfile.TemporaryDirectory() as folder, Ledger(Path(folder), calendar) as ledger:
        ledger.take(((level, entry) for entry in entries), len(entries))
        for day in sorted({calendar.day_of(entry.at) for entry in entries}):
            for one in reconcile(archive, ledger, calendar.day(day)).differences:
                yield _finding(path, 0, f"gaming day {day}: {one.text}")


def _check_entries(archive: FloorArchive, path: Path, levels: Sequence[str]) -> Iterator[FloorFinding]:
    """Stops at the first entry that does not follow: no later one can."""
    state: LinkedLevel | None = None
    for row in History(path).rows():
        if row.content.kind != ENTRY:
            continue
        try:
            entry = read_entry(row.content.body.encode())
            state = apply(state or _begin(entry, levels), entry)
        except (MalformedMessage, LogFault, Unbalanced) as error:
            yield _finding(path, row.row, str(error))
            return
        for outcome in entry.out:
            if isinstance(outcome, Won) and (why := _unknown(archive, outcome)):
                yield _finding(path, row.row, f"entry {entry.n}: {why}")
    if state is None:
        yield _finding(path, 0, "it has no entry of a linked progressive")


def _begin(entry: LogEntry, levels: Sequence[str]) -> LinkedLevel:
    """The level before its first entry. Raises LogFault."""
    for level in levels:
        if entry.before == first_hash(level):
            return LinkedLevel(level, demo=entry.demo)
    raise LogFault(f"entry {entry.n} is not the first one of a level; allowed: {', '.join(levels) or 'none'}")


def _unknown(archive: FloorArchive, won: Won) -> str:
    """Why the round of a won share cannot be; empty if it is stored, or if its rows have not arrived or were
    deleted."""
    number = int(won.claim.split("/")[2])
    name = JournalName(won.table, won.epoch)
    if found := stored_round(archive, name, number):
        void = found.played.outcome.startswith("void")
        return f"claim {won.claim}: the round was void" if void else ""
    later = _plays_later(archive, name, number)
    return f"claim {won.claim}: the floor has later rounds of the table, and not this one" if later else ""


def _plays_later(archive: FloorArchive, name: JournalName, number: int) -> bool:
    """Whether a later round of the journal is stored, and an earlier one too: no file between was deleted."""
    numbers = [
        found
        for file in archive.newest_first()
        for found in file.database.execute(_NUMBERS, name.key).fetchone()
        if found is not None
    ]
    return bool(numbers) and min(numbers) < number < max(numbers)


def _finding(path: Path, row: int, what: str) -> FloorFinding:
    at = f"journal {path}: row {row}" if row else f"journal {path}"
    return FloorFinding("progressive", "", "", "", row, f"{at}: {what}")
