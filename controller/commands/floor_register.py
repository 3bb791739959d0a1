"""What persons have decided at a floor, for commands."""

import sqlite3
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from controller.commands.exit_codes import failed
from controller.floor.day_file import JournalName
from controller.floor.register import FloorRegister
from controller.floor.store_file import StoreError

if TYPE_CHECKING:
    from controller.floor.settings import FloorConfig


@contextmanager
def floor_register(config: "FloorConfig") -> Iterator[FloorRegister]:
    """The register of this floor. Raises typer.Exit after printing why it cannot be used."""
    try:
        with FloorRegister(Path(config.stores), time.time) as register:
            yield register
    except (StoreError, OSError, sqlite3.Error) as error:
        raise failed(str(error)) from None


def chosen_journal(table: str, epoch: str, names: Sequence[JournalName]) -> JournalName:
    """The one of these journals that is meant. Raises typer.Exit after printing which there are."""
    found = [name for name in names if name.table == table and epoch in ("", name.epoch)]
    if len(found) == 1:
        return found[0]
    known = ", ".join(f"{name.table} {name.epoch}" for name in found or names) or "none"
    why = "which one?" if found else "not known;"
    raise failed(f"journal {' '.join(filter(None, (table, epoch)))}: {why} there is: {known}")
