"""Corrections of rounds: while they were played, and after they had ended."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import cast

from controller.journal.history import FileReader, History
from controller.table.record.codec import read_record
from controller.table.record.kinds import SNAPSHOT
from controller.table.record.notes import RoundCorrected, RoundEnded
from controller.table.state.table_state import ROUNDS_KEPT

_CORRECTED = "SELECT row FROM journal WHERE row BETWEEN ? AND ? AND kind = 'corrected' ORDER BY row"
_LATER = "SELECT row, kind FROM journal WHERE row >= ? AND kind IN ('round', 'corrected') ORDER BY row"


@dataclass(frozen=True, slots=True)
class Correction:
    """`at`: seconds of Unix time."""

    row: int
    at: float
    said: RoundCorrected


@dataclass(slots=True)
class CorrectionIndex:
    """Corrections by the number of the round, then by row."""

    _by_round: dict[int, dict[int, Correction]] = field(default_factory=dict)

    @property
    def rounds(self) -> list[int]:
        """The numbers of the corrected rounds."""
        return [*self._by_round]

    def read_rows(self, reader: FileReader, first: int, last: int) -> None:
        for (row,) in reader.select(_CORRECTED, (first, last)):
            self._add(reader, row)

    def read_round(self, reader: FileReader, row: int) -> None:
        """Corrections during the round that ends in this row."""
        self.read_rows(reader, reader.last_of(SNAPSHOT, row), row)

    def read_after(self, history: History, first: int) -> None:
        """Corrections from a row on of rounds that ended before it. ROUNDS_KEPT rounds later, nobody can
        correct them any more."""
        rounds = 0
        for rows in history.forwards(first):
            with history.open(rows.file) as reader:
                for row, kind in reader.select(_LATER, (rows.first,)):
                    rounds += kind == "round"
                    if rounds > ROUNDS_KEPT:
                        return
                    if kind == "corrected":
                        self._add(reader, row)

    def of(self, number: int) -> tuple[Correction, ...]:
        """The corrections of one round, oldest first."""
        return tuple(correction for _, correction in sorted(self._by_round.get(number, {}).items()))

    def _add(self, reader: FileReader, row: int) -> None:
        content = reader.at(row).content
        record = cast("RoundCorrected", read_record(content))
        self._by_round.setdefault(record.number, {})[row] = Correction(row, content.at, record)


def as_corrected(ended: RoundEnded, corrections: Iterable[Correction]) -> RoundEnded:
    """The round after its corrections, which are given oldest first."""
    for correction in corrections:
        ended = correction.said.ended or ended
    return ended


def persons(corrections: Iterable[Correction]) -> tuple[str, ...]:
    """Who made the corrections."""
    named = (name for each in corrections for name in (each.said.who, each.said.second))
    return tuple(dict.fromkeys(filter(None, named)))
