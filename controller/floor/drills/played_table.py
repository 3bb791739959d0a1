"""A table with simulated devices, its daemon and its uplink as processes, at the floor of a drill."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Final

from controller.demo.run import make_crew
from controller.demo.settings import DemoSettings
from controller.demo.staff import staff
from controller.floor.admitting import read_request
from controller.floor.day_file import JournalName
from controller.floor.demo.roster import PlannedTable
from controller.floor.demo.table import FloorPlace, FloorTable
from controller.floor.drills.house import PROPERTY, House
from controller.journal.history import History

NAME: Final = "bj-1"
DEALER: Final = "Dee"
ACCOUNTS: Final = "staff.db"
QUIET: Final = 1.0
"""Seconds without a new row after which a table has written all of its last round."""


@asynccontextmanager
async def played_table(at: House, *, server: str = "") -> AsyncIterator[FloorTable]:
    """A table that is admitted, and whose uplink ships. `server`: where it finds the floor, if not directly
    at the servers. Raises DemoError."""
    accounts = at.folder / ACCOUNTS
    people, key = staff(accounts), at.floor.signer.public.hex()
    place = FloorPlace(PROPERTY, server or at.cluster.addresses[0], key, accounts, people)
    plan = PlannedTable(NAME, "main", DEALER, DemoSettings(speed="max", pages=False))
    async with FloorTable(at.folder / NAME, plan, place) as table:
        await table.start_daemon()
        request = read_request(table.request().model_dump_json(), PROPERTY)
        at.floor.decide("admit", request.name(), request.admission())
        await table.start_uplink()
        yield table


@dataclass(frozen=True, slots=True)
class PlayedJournal:
    """The journal of a table between two rounds: everything that it has may leave the house."""

    journal_name: JournalName
    history: History
    disclosed: int


def played_journal(table: FloorTable) -> PlayedJournal:
    history = History(table.journal)
    return PlayedJournal(
        JournalName(table.plan.name, table.request().epoch), history, history.files()[-1].last
    )


async def play(table: FloorTable, rounds: int) -> None:
    """The crew plays so many rounds. Returns when the table writes no more rows about the last one."""
    await make_crew(table).run(rounds)
    history, last = History(table.journal), 0
    while (written := history.files()[-1].last) != last:
        last = written
        await asyncio.sleep(QUIET)
