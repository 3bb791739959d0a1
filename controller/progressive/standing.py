"""Jackpots as a running table shows them, or as its journal tells of them: nothing is changed."""

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import asdict, dataclass
from pathlib import Path

from controller.config import Config
from controller.jackpot import Unbalanced
from controller.journal.chain import Entry
from controller.journal.errors import JournalError
from controller.journal.journal import SELECT, entry_of
from controller.journal.reading import connection, live
from controller.monitor.client import TableAbsentError, TableAnswerError, fetch
from controller.table import jackpot_picture
from controller.table.apply import apply
from controller.table.apply import begin as begun
from controller.table.errors import TableError
from controller.table.events import Started
from controller.table.jackpot_view import ClaimView, MeterView
from controller.table.rows import INPUTS, SNAPSHOT, read_input, read_snapshot
from controller.table.snapshot import restore
from controller.table.state import TableState

BEGIN = "SELECT max(row) FROM journal WHERE kind = ?"
SINCE = f"{SELECT}WHERE row >= ? ORDER BY row"


@dataclass(frozen=True, slots=True)
class Standing:
    """All jackpots and the claims that are known of, the newest first; `source` is where that is from."""

    source: str
    meters: tuple[MeterView, ...]
    claims: tuple[ClaimView, ...]

    def json(self) -> str:
        """As one JSON object on a line."""
        return json.dumps(asdict(self))


def standing(config: Config) -> Standing:
    """From the table itself where it answers, else from its journal. Raises JournalError."""
    try:
        seen = fetch(config.web.host, config.web.port)
    except (TableAbsentError, TableAnswerError):
        return _kept(Path(config.journal.path))
    if seen.table != config.table.name:
        return _kept(Path(config.journal.path))
    return Standing(f"table {seen.table}", seen.meters, seen.claims)


def _kept(path: Path) -> Standing:
    try:
        with closing(connection(live(path))) as database:
            (begin,) = database.execute(BEGIN, (SNAPSHOT,)).fetchone()
            state = _state(map(entry_of, database.execute(SINCE, (begin or 0,))))
    except (OSError, sqlite3.Error) as error:
        raise JournalError(f"journal {path} cannot be read: {error}") from error
    except (KeyError, TypeError, ValueError, Unbalanced, TableError) as error:
        raise JournalError(f"journal {path} cannot be replayed: {error!r}") from error
    if state is None:
        raise JournalError(f"journal {path} tells of no table yet")
    return Standing(f"journal {path}", jackpot_picture.meters(state), jackpot_picture.claims(state))


def _state(entries: Iterator[Entry]) -> TableState | None:
    state = None
    for entry in entries:
        if entry.content.kind == SNAPSHOT:
            state = restore(read_snapshot(entry.content))
        elif entry.content.kind in INPUTS:
            event = read_input(entry.content)
            state = state or (begun(event) if isinstance(event, Started) else None)
            if state is not None:
                apply(state, event, entry.content.at)
    return state
