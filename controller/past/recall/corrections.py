"""Corrections of rounds: while they were played, and after they had ended."""

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import TypeVar, cast

from controller.journal.chain import JournalRow
from controller.journal.history import FileReader, History, row_errors
from controller.table.record.codec import read_record
from controller.table.record.kinds import SNAPSHOT
from controller.table.record.notes import RoundCorrected, RoundEnded
from controller.table.state.table_state import ROUNDS_KEPT

_CORRECTED = "SELECT row, body FROM journal WHERE row BETWEEN ? AND ? AND kind = 'corrected' ORDER BY row"
_LATER = (
    "SELECT row, CASE kind WHEN 'corrected' THEN body END FROM journal"
    " WHERE row >= ? AND kind IN ('round', 'corrected') ORDER BY row"
)

AnyRow = TypeVar("AnyRow")


@dataclass(frozen=True, slots=True)
class Correction:
    """`at`: seconds of Unix time."""

    row: int
    at: float
    said: RoundCorrected


@dataclass(slots=True)
class CorrectionIndex:
    """The rows of corrections by the number of the round. Their records are read when they are needed."""

    _rows: dict[int, set[int]] = field(default_factory=dict)

    @property
    def rounds(self) -> list[int]:
        """The numbers of the corrected rounds."""
        return [*self._rows]

    def add(self, number: int, row: int) -> None:
        self._rows.setdefault(number, set()).add(row)

    def read_round(self, reader: FileReader, row: int) -> None:
        """Corrections during the round that ends in this row."""
        for found, body in reader.select(_CORRECTED, (reader.last_of(SNAPSHOT, row), row)):
            self.add(corrected_number(body), found)

    def read_after(self, history: History, first: int) -> None:
        """Corrections from a row on of rounds that ended before it. Raises JournalError."""
        for row, number in while_correctable(_later(history, first), lambda found: found[1] is None):
            if number is not None:
                self.add(number, row)

    def of(self, number: int, read: Callable[[int], JournalRow]) -> tuple[Correction, ...]:
        """The corrections of one round, oldest first. `read` gives a row of the journal."""
        return tuple(_correction(read(row)) for row in sorted(self._rows.get(number, ())))


def while_correctable(rows: Iterable[AnyRow], is_round: Callable[[AnyRow], bool]) -> Iterator[AnyRow]:
    """The rows after some rounds until none of these can be corrected any more: so many later rounds have
    ended. `is_round`: whether a row ends such a later round."""
    rounds = 0
    for row in rows:
        rounds += is_round(row)
        if rounds > ROUNDS_KEPT:
            return
        yield row


def _later(history: History, first: int) -> Iterator[tuple[int, int | None]]:
    """From a row on, the rows of corrections with the number of the round, and those of rounds with None."""
    for rows in history.forwards(first):
        with history.open(rows.file) as reader, row_errors(rows.file.path):
            for row, body in reader.select(_LATER, (rows.first,)):
                yield row, None if body is None else corrected_number(body)


def corrected_number(body: str) -> int:
    """The number of the round in the JSON of a correction."""
    return int(json.loads(body)["number"])


def _correction(entry: JournalRow) -> Correction:
    return Correction(entry.row, entry.content.at, cast("RoundCorrected", read_record(entry.content)))


def as_corrected(ended: RoundEnded, corrections: Iterable[Correction]) -> RoundEnded:
    """The round after its corrections, which are given oldest first."""
    for correction in corrections:
        ended = correction.said.ended or ended
    return ended


def persons(corrections: Iterable[Correction]) -> tuple[str, ...]:
    """Who made the corrections."""
    named = (name for each in corrections for name in (each.said.who, each.said.second))
    return tuple(dict.fromkeys(filter(None, named)))
