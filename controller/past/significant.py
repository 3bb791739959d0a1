"""Search a journal for significant events, by code, text and time."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from controller.journal.chain import RowContent
from controller.journal.history import FileReader, History, row_errors
from controller.table.record.codec import read_record
from controller.table.record.events import DeviceEvent, Input
from controller.table.record.kinds import BY_NAME, BY_RECORD, Level
from controller.table.record.message_kinds import BY_MESSAGE, CODES
from controller.table.record.message_kinds import BY_NAME as BY_MESSAGE_NAME
from controller.table.record.notes import Note
from controller.text.characters import is_part

MOST = 500
"""Events in one answer."""
_KINDS = json.dumps([name for name, kind in BY_NAME.items() if kind.code])
_BODIES = json.dumps([f'"body":{{"{name}"' for name, kind in BY_MESSAGE_NAME.items() if kind.code])
_MESSAGE = '"body":{"'
"""What stands before the name of a device's message."""
_AFTER = f"substr(body, instr(body, '{_MESSAGE}') + {len(_MESSAGE)})"
_NAME = f"substr({_AFTER}, 1, instr({_AFTER}, '\"') - 1)"
PLAY = f"kind = 'event' AND {_NAME} IN (SELECT value FROM json_each(:play))"  # noqa: S608 - constants
"""As `is_play`, in SQL; its parameter `play` is PLAY_NAMES."""
PLAY_NAMES = json.dumps([name for name, kind in BY_MESSAGE_NAME.items() if kind.code is None])
_ROWS = (
    "SELECT row FROM journal"
    " WHERE (kind IN (SELECT value FROM json_each(:kinds))"
    " OR kind = 'event' AND EXISTS (SELECT 1 FROM json_each(:bodies) WHERE instr(body, value)))"
    " AND row < :before AND at >= :since AND at <= :until ORDER BY row DESC"
)
_STARTS = "SELECT body FROM journal WHERE kind = 'started' AND row <= ? ORDER BY row DESC LIMIT 1"


@dataclass(frozen=True, slots=True)
class SignificantQuery:
    """An event must match all of it. An empty `code` or `text` matches every event; times are seconds of Unix
    time; `before`: only rows with a smaller number."""

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
    """`at`: seconds of Unix time. `device` and `serial` are empty for an event of the table itself."""

    row: int
    at: float
    code: str
    device: str
    serial: str
    text: str


@dataclass(frozen=True, slots=True)
class SignificantPage:
    """`more`: there may be older events; ask again with `before` = the row of the last one."""

    events: tuple[SignificantEvent, ...]
    more: bool


@dataclass(frozen=True, slots=True)
class RowEvent:
    """The event in a row; `device` is empty for an event of the table itself. `level`: that of the line in
    the table's log, "warning" for what a device reported."""

    code: str
    device: str
    text: str
    level: Level


def significant_event(content: RowContent) -> RowEvent | None:
    """The event in a row, None if the row is not significant. Raises what `read_record` raises."""
    kind = BY_NAME.get(content.kind)
    if kind is None or (kind.code is None and kind.record is not DeviceEvent):
        return None
    return event_of(read_record(content))


def event_of(record: Input | Note) -> RowEvent | None:
    """As `significant_event`, for the record of a row."""
    kind = BY_RECORD[type(record)]
    level: Level = kind.log.level_of(record) if kind.log else "info"
    if isinstance(record, DeviceEvent):
        message, level = BY_MESSAGE.get(type(record.body)), "warning"
        code, text = (message.code, message.text(record.body)) if message else (None, "")
    else:
        code, text = (kind.code if kind.significant(record) else None), kind.full_sentence(record)
    return RowEvent(code.name, getattr(record, "device", ""), text, level) if code else None


def is_play(content: RowContent) -> bool:
    """Whether the row is certainly a device's event without significance, by its text: most rows are."""
    if content.kind != "event":
        return False
    _, found, rest = content.body.partition(_MESSAGE)
    kind = BY_MESSAGE_NAME.get(rest.partition('"')[0])
    return bool(found and kind and kind.code is None)


def search(path: Path, query: SignificantQuery, most: int) -> SignificantPage:
    """The newest `most` events that match, newest first. Raises JournalError for a journal that cannot be
    read, or that is damaged where it was read."""
    with row_errors(path):
        events = tuple(islice(_matching(History(path), query), min(most, MOST)))
    return SignificantPage(events, len(events) == most)


def _matching(history: History, query: SignificantQuery) -> Iterator[SignificantEvent]:
    parameters = {
        "kinds": _KINDS,
        "bodies": _BODIES,
        "before": query.before,
        "since": query.since,
        "until": query.until,
    }
    for file in reversed(history.files()):
        with history.open(file) as reader:
            for (row,) in reader.select(_ROWS, parameters):
                event = _event(reader, row)
                if event and _matches(event, query):
                    yield event


def _event(reader: FileReader, row: int) -> SignificantEvent | None:
    content = reader.at(row).content
    event = significant_event(content)
    if event is None:
        return None
    return SignificantEvent(
        row, content.at, event.code, event.device, _serial(reader, row, event.device), event.text
    )


def _serial(reader: FileReader, row: int, device: str) -> str:
    """The serial number of the device at that time. It is in the row of the last start; a file that begins
    after that start does not have it."""
    for (body,) in reader.select(_STARTS, (row,)) if device else ():
        return str(json.loads(body)["devices"].get(device, ""))
    return ""


def _matches(event: SignificantEvent, query: SignificantQuery) -> bool:
    text = f"{event.device} {event.serial} {event.text}"
    return query.code in ("", event.code) and is_part(query.text, text)
