"""Rows as JSON Lines.

Times as they are written for others.
"""

import json
from datetime import UTC, datetime

from controller.journal.chain import JournalRow


def iso_time(at: float) -> str:
    """Seconds of Unix time as ISO 8601 in UTC, to the microsecond: "2026-11-20T18:30:05.250000Z"."""
    return datetime.fromtimestamp(at, UTC).replace(tzinfo=None).isoformat(timespec="microseconds") + "Z"


_text = json.JSONEncoder().encode


def as_line(entry: JournalRow) -> bytes:
    """One row for machines that read what happened; its body is the JSON object that the journal keeps."""
    return _line(entry, entry.content.body)


def as_proof(entry: JournalRow) -> bytes:
    """One row for those who compute its hash: its body is the text that the journal keeps."""
    return _line(entry, _text(entry.content.body))


def _line(entry: JournalRow, body: str) -> bytes:
    row = entry.content
    return (
        f'{{"row":{entry.row},"time":"{iso_time(row.at)}","at":{row.at!r},"kind":{_text(row.kind)},'
        f'"device":{_text(row.device)},"log":"{row.log.hex()}","number":{row.number},"body":{body},'
        f'"hash":"{entry.hash.hex()}"}}\n'
    ).encode()
