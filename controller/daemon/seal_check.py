"""The seal key of a table, and the alert if there is none."""

from pathlib import Path

import structlog

from controller.config import Config
from controller.daemon.disk_watches import has_hardware
from controller.journal.sealing import seal_key
from controller.table.sealer import Sealer
from controller.table.state.table_state import TableState

UNSEALED = (
    "Cards that lie face down are not sealed: the seal key {path} is missing, and every copy of the journal "
    "names such a card. Run tableside device provision journal, and restart the service"
)


def open_sealer(config: Config) -> Sealer:
    """The sealer of the table's cards with its key. Raises SealUnusable."""
    section = config.journal
    key = seal_key(section.seal_path, required=section.seal is not None)
    if key is None:
        structlog.get_logger("tableside.journal").warning(
            "cards that lie face down are not sealed",
            needed=f"{section.seal_path}: tableside device provision journal",
        )
    return Sealer(key)


def unsealed(config: Config, sealer: Sealer, state: TableState) -> str:
    """The alert of a table that has no seal key; else empty.

    A table that has only ever had simulators raises no alert unless it has a key of its journal: no money
    depends on its cards.
    """
    section = config.journal
    if sealer.has_key or not (has_hardware(state) or Path(section.public).exists()):
        return ""
    return UNSEALED.format(path=section.seal_path)
