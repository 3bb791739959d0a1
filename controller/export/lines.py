"""Rows as JSON Lines."""

import json

from controller.export.stamps import stamp
from controller.journal.chain import Entry

_text = json.JSONEncoder().encode


def as_line(entry: Entry) -> bytes:
    """One row for machines that read what happened; its body is the JSON object that the journal keeps."""
    return _line(entry, entry.content.body)


def as_proof(entry: Entry) -> bytes:
    """One row for those who compute its hash: its body is the text that the journal keeps."""
    return _line(entry, _text(entry.content.body))


def _line(entry: Entry, body: str) -> bytes:
    row = entry.content
    return (
        f'{{"row":{entry.row},"time":"{stamp(row.at)}","at":{row.at!r},"kind":{_text(row.kind)},'
        f'"device":{_text(row.device)},"log":"{row.log.hex()}","number":{row.number},"body":{body},'
        f'"hash":"{entry.hash.hex()}"}}\n'
    ).encode()
