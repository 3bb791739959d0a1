"""The ended rounds that a journal keeps, each with the rows that tell how it came about."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import cast

from controller.journal.chain import JournalRow
from controller.journal.errors import JournalError
from controller.table.record.codec import read_ended, read_record
from controller.table.record.kinds import INPUTS, SNAPSHOT
from controller.table.record.notes import RoundCorrected, RoundEnded

CORRECTED = "corrected"
"""Kind of the rows that say what a round was after all."""


@dataclass(frozen=True, slots=True)
class EndedRound:
    """One ended round; `at` is when it ended, seconds of Unix time.

    `rows`: the snapshot before it, where there is one, and all inputs from there to its end.
    """

    at: float
    ended: RoundEnded
    rows: tuple[JournalRow, ...]
    corrected: bool = False
    """It is said once more, for it was put right after it had ended; `at` is when, and there are no rows."""

    @property
    def number(self) -> int:
        """Rounds count from 1."""
        return self.ended.round.number


def ended_rounds(entries: Iterable[JournalRow]) -> Iterator[EndedRound]:
    """All ended rounds, oldest first. Raises JournalError for a row that makes no sense."""
    rows: list[JournalRow] = []
    for entry in entries:
        kind = entry.content.kind
        if kind == SNAPSHOT:
            rows = [entry]
        elif kind in INPUTS:
            rows.append(entry)
        elif kind == "round":
            yield EndedRound(entry.content.at, _ended(entry), tuple(rows))
        elif kind == CORRECTED and (ended := _corrected(entry)):
            yield EndedRound(entry.content.at, ended, (), corrected=True)


def _ended(entry: JournalRow) -> RoundEnded:
    try:
        return read_ended(entry.content)
    except (KeyError, TypeError, ValueError) as error:
        raise JournalError(f"row {entry.row} of the journal makes no sense as a round: {error!r}") from error


def _corrected(entry: JournalRow) -> RoundEnded | None:
    """What a round says since it was put right; None for one that had not ended."""
    try:
        return cast("RoundCorrected", read_record(entry.content)).ended
    except (KeyError, TypeError, ValueError) as error:
        raise JournalError(
            f"row {entry.row} of the journal makes no sense as a correction: {error!r}"
        ) from error
