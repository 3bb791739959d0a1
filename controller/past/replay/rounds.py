"""The ended rounds of a journal, each with the rows from which it can be replayed."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import cast

from controller.journal.chain import JournalRow
from controller.journal.errors import JournalError
from controller.journal.history import BAD_ROW
from controller.table.record.codec import read_ended, read_record
from controller.table.record.kinds import INPUTS, SNAPSHOT
from controller.table.record.notes import RoundCorrected, RoundEnded
from controller.table.record.sealed import OPENED, readable

CORRECTED = "corrected"
"""The kind of the rows that correct a round."""


@dataclass(frozen=True, slots=True)
class EndedRound:
    """`at`: when it ended, seconds of Unix time. `rows`: the snapshot before it, if there is one, and all
    inputs to its end, with the cards that were sealed in the clear, as far as they are opened."""

    at: float
    ended: RoundEnded
    rows: tuple[JournalRow, ...]
    corrected: bool = False
    """This is the round after a correction that came after its end; `at`: the time of the correction. `rows`
    is empty."""

    @property
    def number(self) -> int:
        return self.ended.round.number


def ended_rounds(entries: Iterable[JournalRow]) -> Iterator[EndedRound]:
    """All ended rounds, oldest first. Raises JournalError for a row that makes no sense."""
    rows: list[JournalRow] = []
    for entry in entries:
        kind = entry.content.kind
        if kind == SNAPSHOT:
            rows = [entry]
        elif kind in INPUTS or kind == OPENED:
            rows.append(entry)
        elif kind == "round":
            yield EndedRound(entry.content.at, _ended(entry), _inputs(rows))
        elif kind == CORRECTED and (ended := _corrected(entry)):
            yield EndedRound(entry.content.at, ended, (), corrected=True)


def _inputs(rows: Sequence[JournalRow]) -> tuple[JournalRow, ...]:
    try:
        return tuple(entry for entry in readable(rows) if entry.content.kind != OPENED)
    except BAD_ROW as error:
        raise JournalError(f"a sealed card before row {rows[-1].row} makes no sense: {error!r}") from error


def _ended(entry: JournalRow) -> RoundEnded:
    try:
        return read_ended(entry.content)
    except BAD_ROW as error:
        raise JournalError(f"row {entry.row} of the journal makes no sense as a round: {error!r}") from error


def _corrected(entry: JournalRow) -> RoundEnded | None:
    """The corrected round; None if it had not ended."""
    try:
        return cast("RoundCorrected", read_record(entry.content)).ended
    except BAD_ROW as error:
        raise JournalError(
            f"row {entry.row} of the journal makes no sense as a correction: {error!r}"
        ) from error
