"""A floor of simulated tables from the first wager to the figures."""

import asyncio
import os
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from controller.demo.claims import handle_claims
from controller.demo.crew.crew import Crew
from controller.demo.processes import DemoError
from controller.demo.run import make_crew, until_first
from controller.demo.staff_desk import StaffDesk
from controller.floor.day_file import JournalName
from controller.floor.demo.checks import (
    JackpotCheck,
    StoredJournal,
    check_jackpot,
    check_journal,
    count_rows,
)
from controller.floor.demo.house import FloorHouse
from controller.floor.demo.lag import Lag, LagWatch
from controller.floor.demo.level import CURRENCY, LEVEL, SPOT
from controller.floor.demo.roster import PlannedTable
from controller.floor.demo.streams import log_entries, published_ranges, received_claims
from controller.floor.demo.table import FloorTable
from controller.floor.demo.waiting import until, until_or_late
from controller.floor.progressive.entry_journal import EntryJournal
from controller.floor.register import FloorRegister
from controller.floor.store import FloorArchive
from controller.jackpot.linked.entries import LogEntry
from controller.jackpot.linked.messages import Admission
from controller.journal.history import History
from controller.journal.place import Extent
from controller.journal.signing import Signer
from controller.socket.client import CallRefused, CoreAway, CoreClient
from controller.socket.listening import default_path
from controller.socket.replica import NoView
from drivers.key_files import read_key

SETTLING: Final = 30.0
"""Seconds in which the floor has stored everything; what is missing then is lost."""
ENDED: Final = frozenset({"paid", "void"})
"""The last states of a claim."""
OPEN: Final = "open"
"""The state of a level whose spots take wagers."""
ROUND: Final = "round"
"""The kind of row with which a round ends."""


@dataclass(frozen=True, slots=True)
class FloorResult:
    """The figures of a floor of simulated tables. `rounds`: ended, over all tables; `rows_published`,
    `rows_stored`: each row once; `lag_ms`: from a row's commit at the table to the floor's."""

    tables: int
    rounds: int
    rows_published: int
    rows_stored: int
    lost: int
    duplicated: int
    forks: int
    lag_ms: Lag
    chain_ok: bool
    jackpot: JackpotCheck

    def sound(self, rounds: int) -> bool:
        """Whether every check holds after so many rounds of each table."""
        return (
            self.rounds == rounds * self.tables
            and self.rows_published == self.rows_stored
            and not (self.lost or self.duplicated or self.forks)
            and self.chain_ok
            and self.jackpot.balanced
            and self.jackpot.order_ok
        )


@dataclass(frozen=True, slots=True)
class Progress:
    """A floor at play. `playing`: tables that play; `rounds`: that they have played; `lag`: until now."""

    playing: int
    rounds: int
    lag: Lag


class FloorPlay:
    """Tables of a floor at play, each in a folder of its own. The caller has entered `house`."""

    def __init__(self, house: FloorHouse, plans: Sequence[PlannedTable], lock: int | None = None) -> None:
        self._house, self._lock = house, lock
        self._store = FloorArchive(Path(house.settings().stores))
        self._lag = LagWatch(self._store)
        self._starts = asyncio.Semaphore(os.cpu_count() or 1)
        self._tables = [FloorTable(house.folder / plan.name, plan, house.place, lock) for plan in plans]
        self._played: dict[str, Callable[[], int]] = {}
        """How many rounds each table has played, by its name."""
        self._over = asyncio.Event()
        self._earlier = sum(map(_ended_rounds, self._tables))
        """Rounds of earlier demonstrations in this folder."""

    @property
    def progress(self) -> Progress:
        rounds = sum(count() for count in self._played.values())
        return Progress(len(self._played), rounds, self._lag.lag())

    async def run(self, rounds: int | None) -> FloorResult:
        """Play so many rounds at each table, or until cancelled. Raises DemoError if a program ends by
        itself."""
        played = [asyncio.Event() for _ in self._tables]
        opening = asyncio.create_task(self._house.desk.open())
        tasks = [asyncio.create_task(self._lag.run()), opening]
        for table, done in zip(self._tables, played, strict=True):
            tasks.append(asyncio.create_task(self._play(table, rounds, done)))
        everything = asyncio.create_task(self._until_played(opening, played))
        try:
            await until_first(everything, self._house.first_end(), *map(_failure_of, tasks))
            result = await self._settled()
            self._over.set()
            return result
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def _until_played(self, opening: asyncio.Task[None], played: Sequence[asyncio.Event]) -> None:
        await opening
        for done in played:
            await done.wait()

    async def _play(self, table: FloorTable, rounds: int | None, done: asyncio.Event) -> None:
        """The table stays until all have played."""
        settings = table.settings
        async with AsyncExitStack() as stack:
            async with self._starts:  # those that start at once are all late
                await stack.enter_async_context(table)
                await table.start_daemon()
                asked = table.request()
                table.join(await self._house.admit(asked))
                if table.linked:
                    admission = Admission(
                        table=asked.table, epoch=asked.epoch, public=asked.public, currency=CURRENCY
                    )
                    await self._house.desk.admit(admission)
                await table.start_uplink()
            await _begin_shift(table)
            crew = make_crew(table)
            self._played[table.plan.name] = lambda: len(crew.machine.rounds)
            claims = [handle_claims(table, table.plan.dealer)] if settings.rules.meters else []
            await until_first(_play_rounds(table, crew, rounds), table.first_end(), *claims)
            done.set()
            await self._over.wait()

    async def _settled(self) -> FloorResult:
        """The figures, once the floor has stored what the tables have disclosed."""
        disclosed = {table.plan.name: await _disclosed(table) for table in self._tables}
        await until_or_late(lambda: self._has_stored(disclosed), SETTLING)
        await asyncio.gather(*(table.stop_uplink() for table in self._tables))
        stream, subjects = self._house.client.jetstream(), self._house.subjects
        published = await published_ranges(stream, subjects)
        ends = {name.table: max(last for _, last in ranges) for name, ranges in published.items()}
        await until_or_late(lambda: self._has_stored(ends), SETTLING)
        await self._house.stop_services()
        claims, log = await received_claims(stream, subjects), await log_entries(stream, subjects)
        await asyncio.gather(*(table.stop_daemon() for table in self._tables))
        journals = [self._checked(table, disclosed[table.plan.name]) for table in self._tables]
        return FloorResult(
            tables=len(self._tables),
            rounds=sum(map(_ended_rounds, self._tables)) - self._earlier,
            rows_published=sum(count_rows(ranges) for ranges in published.values()),
            rows_stored=sum(journal.stored for journal in journals),
            lost=sum(journal.lost for journal in journals),
            duplicated=sum(journal.duplicated for journal in journals),
            forks=self._forks(),
            lag_ms=self._lag.lag(),
            chain_ok=all(journal.chain_ok for journal in journals),
            jackpot=check_jackpot(LEVEL, log, self._own_entries(), claims),
        )

    async def _has_stored(self, rows: Mapping[str, int]) -> bool:
        stored = {name.table: head.row for name, head in self._lag.heads.items()}
        return all(stored.get(table, 0) >= row for table, row in rows.items())

    def _checked(self, table: FloorTable, disclosed: int) -> StoredJournal:
        history = History(table.journal)
        name = JournalName(table.plan.name, table.request().epoch)
        before = Extent.of(history).before
        return check_journal(history.rows(), disclosed, before, self._store.segments(name))

    def _forks(self) -> int:
        with FloorRegister(Path(self._house.settings().stores), time.time) as register:
            return sum(kept.incident.kind == "fork" for kept in register.incidents(ended=True))

    def _own_entries(self) -> list[LogEntry]:
        level = self._house.level
        journal = EntryJournal(level.journal, level.mirror, Signer(read_key(level.key)))
        try:
            return list(journal.read())
        finally:
            journal.close()


async def _play_rounds(table: FloorTable, crew: Crew, rounds: int | None) -> None:
    """Returns when the claims of these rounds have ended, too."""
    await crew.run(rounds)
    async with StaffDesk(table) as desk:

        async def settled() -> bool:
            with suppress(NoView):
                return all(claim.state in ENDED for claim in desk.view().claims)
            return False

        await until(settled)


async def _begin_shift(table: FloorTable) -> None:
    """The dealer signs in; the linked progressive is open if the table plays for it. Raises DemoError."""
    dealer = table.plan.dealer
    async with StaffDesk(table) as desk:
        try:
            await desk.sign_in(dealer)
        except (CallRefused, CoreAway) as error:
            raise DemoError(f"{dealer} cannot sign in at {table.plan.name}: {error}") from error
        if table.linked:
            await until(lambda: _is_open(desk))


async def _is_open(desk: StaffDesk) -> bool:
    with suppress(NoView):
        return [each.state for each in desk.view().jackpots if each.spot == SPOT] == [OPEN]
    return False


def _ended_rounds(table: FloorTable) -> int:
    """All that its journal has."""
    if not table.journal.exists():
        return 0
    return sum(row.content.kind == ROUND for row in History(table.journal).rows())


async def _disclosed(table: FloorTable) -> int:
    """The last row that may leave the table now, as its daemon says."""
    heads: asyncio.Queue[int] = asyncio.Queue()
    async with CoreClient(
        default_path(table.journal),
        "cli",
        ("head",),
        on_push=lambda _topic, head: heads.put_nowait(head["row"]),
    ):
        return await heads.get()


async def _failure_of(task: asyncio.Task[None]) -> None:
    """Raises the error with which the task fails; waits for ever otherwise."""
    await asyncio.shield(task)
    await asyncio.Event().wait()
