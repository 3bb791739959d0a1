"""What was put right of rounds: while they were played, and after they had ended."""

import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import cast

from controller.past.recall.places import row_before_round
from controller.past.recall.stretches import checked_row, forwards, open_file
from controller.table.record.codec import read_record
from controller.table.record.notes import RoundCorrected, RoundEnded
from controller.table.state.table_state import ROUNDS_KEPT

_KIND = "SELECT row FROM journal WHERE row BETWEEN ? AND ? AND kind = 'corrected' ORDER BY row"
_LATER = "SELECT row, kind FROM journal WHERE row >= ? AND kind IN ('round', 'corrected') ORDER BY row"


@dataclass(frozen=True, slots=True)
class Correction:
    """One of them, with its row and its time."""

    row: int
    at: float
    said: RoundCorrected


@dataclass(slots=True)
class CorrectionIndex:
    """Those that are known of, by the number of the round and their row."""

    _by_round: dict[int, dict[int, Correction]] = field(default_factory=dict)

    @property
    def rounds(self) -> list[int]:
        """The numbers of the rounds."""
        return [*self._by_round]

    def read_rows(self, database: sqlite3.Connection, file: Path, first: int, last: int) -> None:
        """Those of some rows."""
        for (row,) in database.execute(_KIND, (first, last)).fetchall():
            self.add(database, file, row)

    def read_round(self, database: sqlite3.Connection, file: Path, row: int) -> None:
        """Those of the round of that row, before it ended."""
        self.read_rows(database, file, row_before_round(database, row), row)

    def read_after(self, path: Path, row: int) -> None:
        """Those from a row on about rounds before it: after so many others nobody puts one right."""
        rounds = 0
        for stretch in forwards(path, row):
            with open_file(stretch.path, stretch.last) as database:
                for place, kind in database.execute(_LATER, (row,)):
                    rounds += kind == "round"
                    if rounds > ROUNDS_KEPT:
                        return
                    if kind == "corrected":
                        self.add(database, stretch.path, place)

    def add(self, database: sqlite3.Connection, file: Path, row: int) -> None:
        """That of one row."""
        content = checked_row(database, file, row).content
        record = cast("RoundCorrected", read_record(content))
        self._by_round.setdefault(record.number, {})[row] = Correction(row, content.at, record)

    def of(self, number: int) -> tuple[Correction, ...]:
        """Those of one round, oldest first."""
        return tuple(correction for _, correction in sorted(self._by_round.get(number, {}).items()))


def as_corrected(ended: RoundEnded, corrections: Iterable[Correction]) -> RoundEnded:
    """What a round says since it was put right, the last one last."""
    for correction in corrections:
        ended = correction.said.ended or ended
    return ended


def persons(corrections: Iterable[Correction]) -> tuple[str, ...]:
    """Who put it right."""
    named = (name for each in corrections for name in (each.said.who, each.said.second))
    return tuple(dict.fromkeys(filter(None, named)))
