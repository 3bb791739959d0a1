"""Who came and went goes into the journal, in its order, a moment after it happened."""

import asyncio
from collections.abc import Callable
from typing import Protocol

from controller.access.desk import AccessDesk
from controller.access.errors import Unusable
from controller.access.store import Told
from controller.table.record.events import DealerOn, Decision
from controller.table.record.notes import Accessed
from controller.table.state.table_state import TableState

PAUSE = 1.0
"""Seconds between two looks."""
LEFT = frozenset({"signed out", "expired"})


class Hearer(Protocol):
    """Who is told: the table."""

    state: TableState

    async def keep(self, observed: Accessed) -> None:
        """Returns when it is on disk."""

    async def decide(self, decision: Decision) -> None:
        """Returns when it is on disk and done."""


async def tell(access: AccessDesk, table: Hearer, report: Callable[[Unusable | None], None]) -> None:
    """Runs for ever. After a power cut, an entry stored just before it may be repeated.

    Accounts that cannot be used do not stop a table: `report` is called once, and again with None when they
    can be used; the entries wait.
    """
    usable = True
    while True:
        try:
            access.look()
            await tell_all(access, table)
            if not usable:
                report(None)
            usable = True
        except Unusable as fault:
            if usable:
                report(fault)
            usable = False
        await asyncio.sleep(PAUSE)


async def tell_all(access: AccessDesk, table: Hearer) -> None:
    """All that the journal does not have yet."""
    for number, told in access.untold():
        await table.keep(Accessed(told.what, told.who, told.role, told.address, told.text))
        if told.what in LEFT and _deals(access, table, told):
            await table.decide(DealerOn(""))
        access.was_told(number)


def _deals(access: AccessDesk, table: Hearer, told: Told) -> bool:
    """Whether the table believes so of somebody who has left, and has not come back since."""
    return table.state.shift.croupier == told.who and not access.sessions.has(told.who)
