"""Checks the store of a floor: every journal, in several processes, and what the floor wrote about itself."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from controller.floor import floor_log
from controller.floor.day_file import JournalName
from controller.floor.projector import Admission
from controller.floor.register import Decision, DecisionKind
from controller.floor.store import FloorArchive
from controller.floor.store_file import StoreError
from controller.floor.verify.findings import FloorFinding
from controller.floor.verify.journal_check import JournalTask, check_journal
from controller.floor.verify.own_log import check_own_log
from controller.past.verify.audit import available_processors, run_parallel


@dataclass(frozen=True, slots=True)
class StoreReport:
    """What was checked and found. `more`: findings that were left out."""

    days: int
    journals: int
    batches: int
    rows: int
    findings: tuple[FloorFinding, ...]
    more: int = 0


def check_store(
    stores: Path, decisions: Sequence[Decision], day: date | None = None, table: str = ""
) -> StoreReport:
    """Check the files of all gaming days, or of one; all journals and the floor's own, or those of one table.
    Raises StoreError, JournalError, sqlite3.Error."""
    archive = FloorArchive(stores)
    days = tuple(archive.days()) if day is None else (day,)
    tasks = [
        _task(stores, name, days, decisions) for name in _journals(archive, days) if table in ("", name.table)
    ]
    if table and not tasks:
        raise StoreError(f"table {table!r}: nothing of it is stored in these days")
    results = run_parallel(check_journal, tasks, available_processors())
    log = stores / floor_log.FILE
    own = [] if table or not log.exists() else check_own_log(log)
    return StoreReport(
        len(days),
        len(results),
        sum(result.batches for result in results),
        sum(result.rows for result in results),
        (*(finding for result in results for finding in result.findings), *own),
        sum(result.more for result in results),
    )


def _journals(archive: FloorArchive, days: Sequence[date]) -> list[JournalName]:
    """The journals that the files of these days name."""
    found = set[JournalName]()
    for day in days:
        with archive.open(day) as file:
            found.update(file.journals(), file.heads(), file.openings())
    return sorted(found, key=lambda name: name.key)


def _task(
    stores: Path, name: JournalName, days: tuple[date, ...], decisions: Sequence[Decision]
) -> JournalTask:
    def decided(kind: DecisionKind) -> tuple[Admission, ...]:
        return tuple(one.admission for one in decisions if (one.name, one.kind) == (name, kind))

    return JournalTask(stores, name, days, decided("admit"), decided("accept gap"))
