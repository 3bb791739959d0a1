"""Copies access records, such as sign-ins and sign-outs, to the journal in the order in which they
happened."""

import asyncio
from collections.abc import Callable
from typing import Protocol

from controller.access.desk import SEALED, AccessDesk
from controller.access.errors import AccountsUnusable
from controller.access.store import AccessRecord
from controller.table.record.causes import cause
from controller.table.record.events import DealerOn, Decision, Noticed
from controller.table.record.notes import Accessed
from controller.table.state.table_state import TableState
from controller.text.characters import same_name

INTERVAL = 1.0
"""Seconds between two checks for new records."""
SIGNED_OUT = frozenset({"signed out", "expired"})


class AccessJournal(Protocol):
    """The table, as far as access records need it."""

    state: TableState

    async def record(self, observed: Accessed) -> None:
        """Write the note; returns once it is on disk."""

    async def notice(self, noticed: Noticed) -> None:
        """Show the notice; returns once it is on disk."""

    async def decide(self, decision: Decision) -> None:
        """Carry out the decision; returns once it is on disk and done."""


async def record_access(
    access: AccessDesk,
    table: AccessJournal,
    report: Callable[[AccountsUnusable | None], None],
    look: Callable[[AccessDesk], None] = lambda _access: None,
) -> None:
    """Copy new records each second until cancelled. After a power cut, the last record before it may appear
    twice.

    If the file of accounts cannot be used, the table continues and the records wait. `report` then receives
    the error once, and None once the file can be used again. `look` is called each second.
    """
    usable = True
    while True:
        try:
            access.expire_and_sum_up()
            access.directory.note_dealing(table.state.shift.croupier)
            look(access)
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
    """Copy all records that the journal does not have yet. The table removes a dealer who has signed out."""
    for number, record in access.pending_records():
        await table.record(Accessed(record.what, record.who, record.role, record.address, record.text))
        if record.what in SIGNED_OUT and _has_left_the_table(access, table, record):
            await table.decide(DealerOn(""))
        if record.what == SEALED:
            await table.notice(Noticed(record.text, cause("account", record.who)))
        access.confirm_record(number)


def _has_left_the_table(access: AccessDesk, table: AccessJournal, record: AccessRecord) -> bool:
    """Whether the person of the record is still the table's dealer, but has no session any more."""
    return same_name(table.state.shift.croupier, record.who) and not access.sessions.has(record.who)
