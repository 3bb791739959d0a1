"""What a slip tells of one claim, out of the journal: it is only read, a daemon may go on appending."""

import sqlite3
from collections.abc import Iterable, Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import cast

from controller.jackpot import Claim
from controller.jackpot.claims import State
from controller.journal.chain import JournalRow
from controller.journal.closed_files import list_closed_files
from controller.journal.errors import JournalError
from controller.journal.history import live_file, open_checked
from controller.journal.journal import SELECT, row_of
from controller.past.export.near import evidence_hash, rows_near
from controller.past.export.proof import table_identity
from controller.table.record.codec import read_record
from controller.table.record.notes import ClaimMoved

CLAIMS = f"{SELECT}WHERE kind = 'claim' ORDER BY row DESC"


class ClaimNotFound(JournalError):
    """A claim is not there."""


@dataclass(frozen=True, slots=True)
class JackpotSlip:
    """One claim as it is. `times`: when it came to each state, in seconds of Unix time. `row` and `hash` are
    those of the hit. `hash` and `evidence` are empty until the round has ended: they stand for its face-down
    card, too. `table` is where nobody said its name."""

    table: str
    claim: Claim
    times: Mapping[State, float]
    row: int
    hash: bytes
    evidence: str


def read_slip(path: Path, number: int) -> JackpotSlip:
    """The slip of a claim. Raises NoClaim, and JournalError where the journal cannot be read."""
    try:
        return _slip(path, number)
    except OSError as error:
        raise JournalError(f"journal {path} cannot be read: {error.strerror}") from error
    except sqlite3.Error as error:
        raise JournalError(f"journal {path} cannot be read: {error}") from error


def _slip(path: Path, number: int) -> JackpotSlip:
    files = [live_file(path), *(file.path for file in reversed(list_closed_files(path)))]
    moves, file = _moves(files, number)
    hit, claim = moves[0], _claim(moves[-1])
    around = rows_near(file, hit.row)
    times = {_claim(entry).state: entry.content.at for entry in moves}
    proof = evidence_hash(around, claim.round)
    table = table_identity(entry for entry in around if entry.row < hit.row).table
    return JackpotSlip(table, claim, times, hit.row, hit.hash if proof else b"", proof)


def _moves(files: Iterable[Path], number: int) -> tuple[list[JournalRow], Path]:
    """All steps of a claim, oldest first, and the file in which it begins."""
    moves: list[JournalRow] = []
    for file in files:
        with closing(open_checked(file)) as database:
            found = map(row_of, database.execute(CLAIMS))
            moves += (entry for entry in found if _claim(entry).number == number)
        if moves and _claim(moves[-1]).state == "pending":
            return moves[::-1], file
    raise ClaimNotFound(f"claim {number} is not in the journal")


def _claim(entry: JournalRow) -> Claim:
    return cast("ClaimMoved", read_record(entry.content)).claim
