"""The closed files of a journal, and the first row of each later file, which names the file before it."""

import hashlib
import json
import re
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

from controller.journal import names
from controller.journal.chain import START, JournalRow, RowContent
from controller.journal.errors import JournalError

CONTINUED = "continued"
"""The kind of the first row of a file that continues another."""
_NAME = re.compile(r"([0-9]{10})-([0-9]{10})\.db")


@dataclass(frozen=True, slots=True)
class ClosedFile:
    """A closed file with its first and last row, as its name says."""

    path: Path
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class Continuation:
    """What the first row of a file says about the file before: name, SHA-256 of the whole file in hex, last
    row, and the hash of that row."""

    file: str
    sha256: str
    row: int
    hash: bytes

    def row_at(self, at: float) -> RowContent:
        body = {"file": self.file, "sha256": self.sha256, "row": self.row, "hash": self.hash.hex()}
        return RowContent(at, CONTINUED, json.dumps(body, separators=(",", ":")))


def closed_file_name(first: int, last: int) -> str:
    return f"{first:010}-{last:010}.db"


def list_closed_files(path: Path) -> list[ClosedFile]:
    """The closed files of the journal at `path`, oldest first. Raises JournalError for a gap or an
    overlap."""
    found = [
        ClosedFile(file, int(numbers[1]), int(numbers[2]))
        for file in _listed(names.archive(path))
        if (numbers := _NAME.fullmatch(file.name))
    ]
    found.sort(key=lambda file: file.first)
    for before, after in pairwise(found):
        if after.first > before.last + 1:
            raise JournalError(
                f"journal {path}: rows {before.last + 1} to {after.first - 1} are missing between "
                f"{before.path} and {after.path}"
            )
        if after.first <= before.last:
            raise JournalError(
                f"journal {path}: {after.path} holds rows that {before.path} holds; allowed: each row once"
            )
    return found


def continuation(path: Path, entry: JournalRow) -> Continuation:
    """What the first row of the file at `path` says about the file before. Raises JournalError if it says
    nothing of the kind."""
    if entry.content.kind != CONTINUED:
        raise JournalError(
            f"journal {path} is damaged: it begins with row {entry.row} of kind {entry.content.kind!r}; "
            f"allowed: row 1, or one of kind {CONTINUED!r}"
        )
    try:
        body: Any = json.loads(entry.content.body)
        continuation_ = Continuation(
            str(body["file"]), str(body["sha256"]), int(body["row"]), bytes.fromhex(body["hash"])
        )
    except (KeyError, TypeError, ValueError, RecursionError) as error:
        raise JournalError(
            f"journal {path} is damaged: row {entry.row} does not say what it continues: {error!r}"
        ) from error
    if continuation_.row != entry.row - 1:
        raise JournalError(
            f"journal {path} is damaged: row {entry.row} continues row {continuation_.row}; "
            f"allowed: {entry.row - 1}"
        )
    return continuation_


def hash_before(path: Path, first: JournalRow) -> bytes:
    """The hash that the first row of the file at `path` must follow from. Raises JournalError."""
    return START if first.row == 1 else continuation(path, first).hash


def check_continuation(path: Path, first: JournalRow, before: ClosedFile, head: bytes) -> str:
    """Returns the SHA-256 of `before`. Raises JournalError unless the file at `path`, whose first row is
    `first`, continues it. `head`: the hash of the last row of `before`."""
    named = continuation(path, first)
    if (named.file, named.hash) != (before.path.name, head):
        raise JournalError(
            f"journal {path} is damaged: row {first.row} continues {named.file} "
            f"with hash {named.hash.hex()}; "
            f"there is {before.path} with {head.hex()}"
        )
    digest = sha256(before.path)
    if digest != named.sha256:
        raise JournalError(
            f"journal {before.path} is damaged: its SHA-256 is {digest}, row {first.row} in {path} has "
            f"{named.sha256}"
        )
    return digest


def sha256(path: Path) -> str:
    """The SHA-256 of a whole file, in hex. Raises JournalError."""
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise JournalError(f"journal {path} cannot be read: {error.strerror}") from error


def _listed(path: Path) -> list[Path]:
    try:
        return list(path.iterdir())
    except FileNotFoundError:
        return []
    except OSError as error:
        raise JournalError(f"folder {path} cannot be read: {error.strerror}") from error
