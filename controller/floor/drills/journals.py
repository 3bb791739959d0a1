"""Drills `clone`, `rollback` and `gone`: what happens to a table whose disk was copied, put back, or is too
small."""

import asyncio
import shutil
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from controller.floor.drills.house import START_LIMIT, DrillError, House, house, until
from controller.floor.drills.outcome import Findings
from controller.floor.drills.shipping import shipping
from controller.floor.drills.synthetic import SyntheticTable
from controller.floor.projector import Admission
from controller.floor.uplink.shipper import Shipper
from controller.journal.closed_files import list_closed_files
from controller.journal.place import OtherRows

NAME: Final = "bj-1"
ROUNDS: Final = 5
ALARM_LIMIT: Final = 10.0
"""Seconds in which an alarm comes."""
TROUBLE_PAUSE: Final = 0.2
"""Seconds between two rounds of tables that quarrel."""


@dataclass
class Uplink:
    """An uplink inside this process. `alarms`: what it said, and when, in monotonic seconds."""

    shipper: Shipper
    task: asyncio.Task[None]
    alarms: list[tuple[str, float]] = field(default_factory=list)

    @property
    def stopped(self) -> str:
        """Why it ships nothing any more; empty if it does."""
        error = self.task.exception() if self.task.done() else None
        return str(error) if isinstance(error, OtherRows) else ""

    @property
    def alarmed(self) -> bool:
        return bool(self.stopped or self.alarms)


@asynccontextmanager
async def uplink_of(at: House, table: SyntheticTable) -> AsyncIterator[Uplink]:
    """Ships what the table may disclose now; call `disclose` of its shipper for more."""
    alarms = list[tuple[str, float]]()

    def alarm(why: str) -> None:
        if why:
            alarms.append((why, time.monotonic()))

    async with shipping(at.plan(table), table.disclosed, alarm) as (shipper, task):
        yield Uplink(shipper, task, alarms)


async def ship(at: House, table: SyntheticTable, limit: float = START_LIMIT) -> int:
    """Ship all that the table may disclose. Returns the last row that the stream acknowledged. Raises
    DrillError if that takes too long."""
    async with uplink_of(at, table) as uplink:
        await until(lambda: at.reached(table) >= table.disclosed, limit)
        return uplink.shipper.reached.row


async def clone(folder: Path, _seconds: float) -> Findings:
    """Both play on from the same journal, so that their rows differ."""
    async with house(folder) as at:
        table = at.add_table(NAME)
        table.play(ROUNDS)
        await ship(at, table)
        copy = _copied(table, at.folder / "copy")
        try:
            at.found.published = await _quarrel(at, table, copy)
        finally:
            copy.close()
        at.note_rows()
        at.found.check_replica()
    return at.found


async def _quarrel(at: House, table: SyntheticTable, copy: SyntheticTable) -> int:
    """The table plays first, so that its rows are the first. Returns its last acknowledged row."""
    table.play()
    copy.play(2)
    async with uplink_of(at, table) as ours:
        await until(lambda: at.reached(table) >= table.disclosed)
        begun = time.monotonic()
        async with uplink_of(at, copy) as theirs:
            while time.monotonic() < begun + ALARM_LIMIT and not theirs.alarmed:
                table.play()
                copy.play()
                ours.shipper.disclose(table.disclosed)
                theirs.shipper.disclose(copy.disclosed)
                await asyncio.sleep(TROUBLE_PAUSE)
            at.found.check(theirs.alarmed, f"the copy raised no alarm in {ALARM_LIMIT:g} s")
        at.found.check(not ours.stopped, f"the table's own uplink stopped: {ours.stopped}")
        at.found.check(await at.until_stored(), "rows of the table itself are not stored")
        return ours.shipper.reached.row


async def rollback(folder: Path, _seconds: float) -> Findings:
    """The uplink stops while the journal is shorter than at the floor, and also when it has grown again."""
    async with house(folder) as at:
        table = at.add_table(NAME)
        table.play(ROUNDS)
        yesterday = at.folder / "yesterday"
        older = _copied(table, yesterday)
        try:
            table.play(ROUNDS)
            at.found.published = await ship(at, table)
            for rounds in (0, 2 * ROUNDS):
                older.play(rounds)
                await _check_stops(at, older)
        finally:
            older.close()
        at.note_rows()
        at.found.check_replica()
    return at.found


async def _check_stops(at: House, table: SyntheticTable) -> None:
    async with uplink_of(at, table) as uplink:
        await asyncio.wait({uplink.task}, timeout=ALARM_LIMIT)
        why = f"an older journal with {table.rounds} rounds is shipped, with no alarm in {ALARM_LIMIT:g} s"
        at.found.check(bool(uplink.stopped), why)


async def gone(folder: Path, _seconds: float) -> Findings:
    """The oldest file is deleted before the floor has it. Later rows count as soon as two persons accept the
    gap."""
    async with house(folder) as at:
        table = at.add_table(NAME)
        table.play()
        await ship(at, table)
        last = table.disclosed
        for _ in range(2):
            table.play(ROUNDS)
            table.close_file()
        oldest, *_ = list_closed_files(table.path)
        table.play()
        oldest.path.unlink()
        async with uplink_of(at, table) as uplink:
            await _go_on_after_gap(at, table, uplink)
            at.found.published = uplink.shipper.reached.row - oldest.last + last
        at.note_rows()
        _check_gap(at, last, oldest.last)
    return at.found


async def _go_on_after_gap(at: House, table: SyntheticTable, uplink: Uplink) -> None:
    found, floor = at.found, at.floor
    try:
        await until(lambda: any(kept.incident.kind == "rows gone" for kept in floor.incidents()))
    except DrillError:
        found.faults.append("no incident `rows gone`")
        return
    found.check(uplink.alarmed, "the table has no alarm about its missing rows")
    gap = next(kept.incident for kept in floor.incidents() if kept.incident.kind == "gap")
    accepted = Admission(gap.last + 1, gap.before, table.admission.public)
    floor.decide("accept gap", table.journal_name, accepted)
    table.play()
    uplink.shipper.disclose(table.disclosed)
    found.check(await at.until_stored(), "rows after the accepted gap are not stored")


def _check_gap(at: House, last: int, gone_up_to: int) -> None:
    """Only the rows of the deleted file are missing."""
    found = at.found
    rows = found.rows
    found.check(not rows.duplicated and not found.forks, "rows are stored twice, or contradict others")
    with at.floor.store() as store:
        table = at.tables[0]
        stored = {
            row
            for segment in store.segments(table.journal_name)
            for row in range(segment.first, segment.last + 1)
        }
    wanted = {*range(1, last + 1), *range(gone_up_to + 1, table.disclosed + 1)}
    found.check(stored == wanted, f"{len(wanted - stored)} rows are missing beside those of the deleted file")


def _copied(table: SyntheticTable, folder: Path) -> SyntheticTable:
    """The table's disk, copied to another computer."""
    shutil.copytree(table.folder, folder)
    return SyntheticTable(folder, table.name)
