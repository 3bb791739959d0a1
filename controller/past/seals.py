"""The sealed cards of a round: when each was sealed, when it was opened, and whether it was the same card."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from controller.journal.chain import JournalRow
from controller.journal.errors import JournalError
from controller.journal.history import BAD_ROW
from controller.journal.sealing import SealBroken
from controller.table.record.sealed import OpenSeal, check_opening, openings, seal_in


@dataclass(frozen=True, slots=True)
class CheckedSeal:
    """A sealed card of a round that was opened.

    `hole`: it was the dealer's face-down card; `row` and `opened_row`: the rows that sealed and opened it;
    `sealed` and `opened`: when, in seconds of Unix time; `same`: the card is the one that was sealed.
    """

    card: str
    round: int
    hole: bool
    row: int
    sealed: float
    opened_row: int
    opened: float
    same: bool


def checked_seals(rows: Iterable[JournalRow]) -> tuple[CheckedSeal, ...]:
    """The cards that were both sealed and opened in these rows, in the order in which they were sealed.
    Raises JournalError for rows that make no sense."""
    try:
        return tuple(_checked(list(rows)))
    except BAD_ROW as error:
        raise JournalError(f"a sealed card of the journal makes no sense: {error!r}") from error


def _checked(rows: Sequence[JournalRow]) -> Iterator[CheckedSeal]:
    opening = {row: entry for entry in rows for row in openings([entry])}
    for entry in rows:
        seal, by = seal_in(entry), opening.get(entry.row)
        if seal is None or by is None:
            continue
        said = openings([by])[entry.row]
        yield CheckedSeal(
            card=said["card"],
            round=seal.sealed.round,
            hole=said["hole"],
            row=entry.row,
            sealed=entry.content.at,
            opened_row=by.row,
            opened=by.content.at,
            same=_is_same(seal, said),
        )


def _is_same(seal: OpenSeal, opened: dict[str, Any]) -> bool:
    try:
        check_opening(seal.sealed, opened["card"], bytes.fromhex(opened["key"]))
    except SealBroken:
        return False
    return True
