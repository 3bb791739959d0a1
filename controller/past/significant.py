"""Significant events of a journal, found by code, text and time; the journal is only read."""

import json
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from controller.journal.chain import RowContent, row_hash
from controller.journal.closed_files import list_closed_files
from controller.journal.errors import JournalError
from controller.journal.inspection import open_read_only
from controller.table.record.codec import read_record
from controller.table.record.events import DeviceEvent, Input
from controller.table.record.notes import Note
from controller.table.record.significant import BY_MESSAGE, BY_ROW_KIND, CODES, SignificantKind
from drivers.messages import EVENTS

MOST = 500
"""Events in one answer."""
_NAMES: dict[type, str] = {record: name for name, record in EVENTS.items()}
_KINDS = json.dumps([*BY_ROW_KIND])
_BODIES = json.dumps([f'"body":{{"{name}"' for name in BY_MESSAGE])
_SELECT = (
    "SELECT row, at, kind, device, log, number, body, hash,"
    " (SELECT hash FROM journal AS earlier WHERE earlier.row = journal.row - 1) FROM journal"
    " WHERE (kind IN (SELECT value FROM json_each(:kinds))"
    " OR kind = 'event' AND EXISTS (SELECT 1 FROM json_each(:bodies) WHERE instr(body, value)))"
    " AND row < :before AND at >= :since AND at <= :until ORDER BY row DESC"
)
_STARTS = "SELECT body FROM journal WHERE kind = 'started' AND row <= ? ORDER BY row DESC LIMIT 1"


@dataclass(frozen=True, slots=True)
class SignificantQuery:
    """What is looked for: all of it holds. `code` and `text` empty: any; times in seconds of Unix time;
    `before`: only rows with a smaller number."""

    code: str = ""
    text: str = ""
    since: float = 0.0
    until: float = 1e12
    before: int = 1 << 62

    def __post_init__(self) -> None:
        if self.code and self.code not in CODES:
            raise ValueError(f"code = {self.code!r}: not allowed; allowed: {', '.join(sorted(CODES))}")


@dataclass(frozen=True, slots=True)
class SignificantEvent:
    """One of them. `at` is seconds of Unix time; `device` and its `serial` are empty for the table itself."""

    row: int
    at: float
    code: str
    device: str
    serial: str
    text: str


@dataclass(frozen=True, slots=True)
class SignificantPage:
    """An answer; `more`: older ones may be had with `before` = the last one's row."""

    events: tuple[SignificantEvent, ...]
    more: bool


@dataclass(frozen=True, slots=True)
class RowEvent:
    """What a row says as a significant event; `device` is empty for the table itself."""

    code: str
    device: str
    text: str


def significant_event(content: RowContent) -> RowEvent | None:
    """The event that a row is, if it is one. Raises what reading it raises."""
    if content.kind not in BY_ROW_KIND and content.kind != "event":
        return None
    record = read_record(content)
    kind, subject = _kind(content, record)
    text = kind.says(subject) if kind else ""
    return RowEvent(kind.code, getattr(record, "device", ""), text) if kind and text else None


def _kind(content: RowContent, record: Input | Note) -> tuple[SignificantKind | None, object]:
    """What the row is, and what its sentence is made of; a body that nobody could read is nothing."""
    if isinstance(record, DeviceEvent):
        return BY_MESSAGE.get(_NAMES.get(type(record.body), "")), record.body
    return BY_ROW_KIND[content.kind], record


def search(path: Path, wanted: SignificantQuery, most: int) -> SignificantPage:
    """The newest `most` that are wanted, newest first, from the live file and then from archived ones.

    Raises JournalError for a file that cannot be read, or a row that does not follow from the one before.
    """
    try:
        events = tuple(islice(_matching(path, wanted), min(most, MOST)))
    except (OSError, sqlite3.Error) as error:
        raise JournalError(f"journal {path} cannot be searched: {error}") from error
    return SignificantPage(events, len(events) == most)


def _matching(path: Path, wanted: SignificantQuery) -> Iterator[SignificantEvent]:
    times = {"before": wanted.before, "since": wanted.since, "until": wanted.until}
    for file in _files(path):
        with closing(open_read_only(file)) as database:
            for fields in database.execute(_SELECT, {"kinds": _KINDS, "bodies": _BODIES, **times}):
                found = _event(database, fields, file)
                if found and _matches(found, wanted):
                    yield found


def _files(path: Path) -> Sequence[Path]:
    """The live file, then the closed ones, newest first."""
    return path, *(closed.path for closed in reversed(list_closed_files(path)))


def _event(database: sqlite3.Connection, fields: tuple[Any, ...], file: Path) -> SignificantEvent | None:
    row, at, kind, device, log, number, body, digest, earlier = fields
    content = RowContent(at, kind, body, device, log, number)
    if earlier is not None and digest != row_hash(earlier, row, content):
        raise JournalError(f"journal {file} is damaged: row {row} does not follow from the one before")
    event = significant_event(content)
    if event is None:
        return None
    return SignificantEvent(
        row, at, event.code, event.device, _serial(database, row, event.device), event.text
    )


def _serial(database: sqlite3.Connection, row: int, device: str) -> str:
    """Who served as this device then; archived files begin after the start that said it."""
    for (body,) in database.execute(_STARTS, (row,)) if device else ():
        return str(json.loads(body)["devices"].get(device, ""))
    return ""


def _matches(found: SignificantEvent, wanted: SignificantQuery) -> bool:
    code = wanted.code in ("", found.code)
    return code and wanted.text.casefold() in f"{found.device} {found.serial} {found.text}".casefold()
