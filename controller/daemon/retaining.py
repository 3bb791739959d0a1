"""How long the table's closed files are kept, as the configuration says."""

import time
from collections.abc import Awaitable, Callable
from pathlib import Path

from controller.config import Config
from controller.daemon.floor import floor_trust
from controller.journal.retention import RetentionShelf
from controller.table.apply.conditions import disk_level
from controller.table.record.events import Noticed
from controller.table.record.notes import Retired
from controller.table.state.table_state import TableState
from controller.table.upkeep.floor_copy import FloorCopy, FloorHold
from controller.table.upkeep.retention import Retention

DISKS = ("journal", "mirror")


def retention(
    config: Config,
    state: TableState,
    copy: FloorCopy,
    keep: Callable[[Retired], Awaitable[None]],
    report: Callable[[Noticed], None],
) -> Retention:
    """Files wait for the floor only at a table that accepts messages of one: no other can know what it
    has."""
    section = config.journal
    mirror = Path(section.mirror) if section.mirror else None
    shelf = RetentionShelf(Path(section.path), mirror, section.retention)
    return Retention(shelf, keep, report, time.time, _hold(state, copy) if floor_trust(config) else None)


def _hold(state: TableState, copy: FloorCopy) -> FloorHold:
    return FloorHold(copy, lambda: any(disk_level(state, disk) != "enough" for disk in DISKS))
