"""Journals of several files, written row by row, so that a test can write what no table would."""

import json
from collections.abc import Sequence
from pathlib import Path

from controller.journal import names
from controller.journal.archived import Continued, archived, name, sha256
from controller.journal.chain import Entry, Row, linked
from controller.journal.head import Mark, packed
from controller.journal.schema import made, without_log
from controller.journal.signing import Signer, checkpoint


def told(count: int, since: int = 0) -> list[Row]:
    """Rows of which no two are alike."""
    return [
        Row(1000.0 + n, "event", json.dumps({"n": n}), "shoe", b"\x07" * 8, n + 1)
        for n in range(since, since + count)
    ]


def build(path: Path, parts: Sequence[Sequence[Row]], signer: Signer | None = None) -> list[Entry]:
    """A journal whose files hold these rows, each but the first behind the row that it begins with, and a
    checkpoint behind each snapshot."""
    entries: list[Entry] = []
    for number, part in enumerate(parts):
        begin = [joint(path, entries[-1], part[0].at if part else 0.0)] if entries else []
        found = chain(entries[-1] if entries else None, [*begin, *part], signer)
        write(path, found)
        entries += found
        if number < len(parts) - 1:
            close(path, found)
    return entries


def chain(head: Entry | None, rows: Sequence[Row], signer: Signer | None = None) -> list[Entry]:
    """Rows and the checkpoints of a signer."""
    entries: list[Entry] = []
    for row in rows:
        entries += linked(entries[-1] if entries else head, [row])
        if signer and row.kind == "snapshot":
            entries += linked(entries[-1], [checkpoint(signer, row.at, entries[-1])])
    return entries


def joint(path: Path, head: Entry, at: float) -> Row:
    """The row that continues the last closed file."""
    closed = archived(path)[-1].path
    return Continued(closed.name, sha256(closed), head.row, head.hash).row_at(at)


def write(path: Path, entries: Sequence[Entry]) -> None:
    """A file of the journal with just these rows, and the record of the last of them."""
    path.write_bytes(without_log(made(entries)))
    mark = Mark(entries[-1].row, entries[-1].hash) if entries else Mark()
    names.head(path).write_bytes(packed(mark))


def close(path: Path, entries: Sequence[Entry]) -> Path:
    """The live file becomes a closed one."""
    archive = names.archive(path)
    archive.mkdir(mode=0o700, exist_ok=True)
    closed = archive / name(entries[0].row, entries[-1].row)
    path.rename(closed)
    closed.chmod(0o400)
    return closed


def closed_files(path: Path) -> list[Path]:
    return [file.path for file in archived(path)]


def overwrite(path: Path, before: bytes, after: bytes) -> None:
    """Changes bytes of a file as somebody with the right to write would."""
    content = path.read_bytes()
    assert before in content
    path.chmod(0o600)
    path.write_bytes(content.replace(before, after))
