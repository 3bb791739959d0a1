"""Rows as JSON Lines, and times in ISO 8601."""

import json
from datetime import UTC, datetime

from controller.journal.chain import JournalRow


def iso_time(at: float) -> str:
    """Seconds of Unix time as ISO 8601 in UTC, to the microsecond: "2026-11-20T18:30:05.250000Z"."""
    return datetime.fromtimestamp(at, UTC).replace(tzinfo=None).isoformat(timespec="microseconds") + "Z"


_text = json.JSONEncoder().encode


def as_line(entry: JournalRow) -> bytes:
    """A row for programs: its body is a JSON object."""
    return _line(entry, entry.content.body)


def as_proof(entry: JournalRow) -> bytes:
    """A row for computing its hash: its body is the text as it is in the journal."""
    return _line(entry, _text(entry.content.body))


def _line(entry: JournalRow, body: str) -> bytes:
    row = entry.content
    return (
        f'{{"row":{entry.row},"time":"{iso_time(row.at)}","at":{row.at!r},"kind":{_text(row.kind)},'
        f'"device":{_text(row.device)},"log":"{row.log.hex()}","number":{row.number},"body":{body},'
        f'"hash":"{entry.hash.hex()}"}}\n'
    ).encode()
