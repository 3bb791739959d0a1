"""What a slip tells of one claim, out of the journal: it is only read, a daemon may go on appending."""

import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import cast

from controller.export.evidence import evidence
from controller.export.proof import NoRound, house, prove
from controller.jackpot import Claim
from controller.jackpot.claim import State
from controller.journal.archived import archived
from controller.journal.chain import Entry, link
from controller.journal.errors import JournalError
from controller.journal.journal import SELECT, entry_of
from controller.journal.reading import connection, live
from controller.table.notes import ClaimMoved
from controller.table.rows import read_record

CLAIMS = f"{SELECT}WHERE kind = 'claim' ORDER BY row DESC"
BEGIN = "SELECT max(row) FROM journal WHERE kind = 'snapshot' AND row < ?"
FROM = f"{SELECT}WHERE row >= ? ORDER BY row"
ENOUGH = 3
"""Snapshots: the one before the round, the one behind it, and the one behind the round after."""


class NoClaim(JournalError):
    """A claim is not there."""


@dataclass(frozen=True, slots=True)
class Slip:
    """One claim as it is. `times`: when it came to each state, in seconds of Unix time. `row` and `hash` are
    those of the hit. `hash` and `evidence` are empty until the round has ended: they stand for its face-down
    card, too. `table` is where nobody said its name."""

    table: str
    claim: Claim
    times: Mapping[State, float]
    row: int
    hash: bytes
    evidence: str


def slip(path: Path, number: int) -> Slip:
    """The slip of a claim. Raises NoClaim, and JournalError where the journal cannot be read."""
    try:
        return _slip(path, number)
    except OSError as error:
        raise JournalError(f"journal {path} cannot be read: {error.strerror}") from error
    except sqlite3.Error as error:
        raise JournalError(f"journal {path} cannot be read: {error}") from error


def _slip(path: Path, number: int) -> Slip:
    files = [live(path), *(file.path for file in reversed(archived(path)))]
    moves, file = _moves(files, number)
    hit, claim = moves[0], _claim(moves[-1])
    near = _near(file, hit)
    told = {_claim(entry).state: entry.content.at for entry in moves}
    proof = _evidence(near, claim.round)
    table = house(entry for entry in near if entry.row < hit.row).table
    return Slip(table, claim, told, hit.row, hit.hash if proof else b"", proof)


def _moves(files: Iterable[Path], number: int) -> tuple[list[Entry], Path]:
    """All steps of a claim, oldest first, and the file in which it begins."""
    moves: list[Entry] = []
    for file in files:
        with closing(connection(file)) as database:
            found = map(entry_of, database.execute(CLAIMS))
            moves += (entry for entry in found if _claim(entry).number == number)
        if moves and _claim(moves[-1]).state == "pending":
            return moves[::-1], file
    raise NoClaim(f"claim {number} is not in the journal")


def _near(file: Path, hit: Entry) -> list[Entry]:
    """The rows of the round of the hit and of the one after, and one row before them."""
    with closing(connection(file)) as database:
        (snapshot,) = database.execute(BEGIN, (hit.row,)).fetchone()
        begin = snapshot - 1 if snapshot else 1
        rows = list(_until_enough(map(entry_of, database.execute(FROM, (begin,)))))
    for before, entry in pairwise(rows):
        if entry.row != before.row + 1 or entry.hash != link(before.hash, entry.row, entry.content):
            raise JournalError(
                f"journal {file} is damaged: row {entry.row} does not follow from the one before"
            )
    return rows


def _until_enough(entries: Iterator[Entry]) -> Iterator[Entry]:
    snapshots = 0
    for entry in entries:
        yield entry
        snapshots += entry.content.kind == "snapshot"
        if snapshots == ENOUGH:
            return


def _evidence(near: list[Entry], number: int) -> str:
    """The evidence's hash, as `tableside export` has it."""
    try:
        return evidence(prove(near, number)).hash
    except NoRound:
        return ""


def _claim(entry: Entry) -> Claim:
    return cast("ClaimMoved", read_record(entry.content)).claim
