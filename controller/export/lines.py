"""Rows as JSON Lines."""

import json
from typing import Any

from controller.export.chapters import body
from controller.export.stamps import stamp
from controller.journal.chain import Entry


def as_line(entry: Entry) -> bytes:
    """One row for machines that read what happened; its body is a JSON object."""
    return _line(entry, body(entry))


def as_proof(entry: Entry) -> bytes:
    """One row for those who compute its hash: its body is the text that the journal keeps."""
    return _line(entry, entry.content.body)


def _line(entry: Entry, told: Any) -> bytes:
    row = entry.content
    fields = {
        "row": entry.row, "time": stamp(row.at), "at": row.at, "kind": row.kind, "device": row.device,
        "log": row.log.hex(), "number": row.number, "body": told, "hash": entry.hash.hex(),
    }  # fmt: skip
    return json.dumps(fields, separators=(",", ":")).encode("ascii") + b"\n"
