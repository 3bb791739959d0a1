"""Who came and went goes into the journal, in its order, a moment after it happened."""

import asyncio
from collections.abc import Callable
from typing import Protocol

from controller.access.desk import AccessDesk
from controller.access.errors import AccountsUnusable
from controller.access.store import AccessRecord
from controller.table.record.events import DealerOn, Decision
from controller.table.record.notes import Accessed
from controller.table.state.table_state import TableState

INTERVAL = 1.0
"""Seconds between two looks."""
SIGNED_OUT = frozenset({"signed out", "expired"})


class AccessJournal(Protocol):
    """Who is told: the table."""

    state: TableState

    async def record(self, observed: Accessed) -> None:
        """Returns when it is on disk."""

    async def decide(self, decision: Decision) -> None:
        """Returns when it is on disk and done."""


async def record_access(
    access: AccessDesk, table: AccessJournal, report: Callable[[AccountsUnusable | None], None]
) -> None:
    """Runs for ever. After a power cut, an entry stored just before it may be repeated.

    Accounts that cannot be used do not stop a table: `report` is called once, and again with None when they
    can be used; the entries wait.
    """
    usable = True
    while True:
        try:
            access.expire_and_sum_up()
            await record_pending(access, table)
            if not usable:
                report(None)
            usable = True
        except AccountsUnusable as fault:
            if usable:
                report(fault)
            usable = False
        await asyncio.sleep(INTERVAL)


async def record_pending(access: AccessDesk, table: AccessJournal) -> None:
    """All that the journal does not have yet."""
    for number, record in access.pending_records():
        await table.record(Accessed(record.what, record.who, record.role, record.address, record.text))
        if record.what in SIGNED_OUT and _has_left_the_table(access, table, record):
            await table.decide(DealerOn(""))
        access.confirm_record(number)


def _has_left_the_table(access: AccessDesk, table: AccessJournal, record: AccessRecord) -> bool:
    """Whether the table believes so of somebody who has left, and has not come back since."""
    return table.state.shift.croupier == record.who and not access.sessions.has(record.who)
