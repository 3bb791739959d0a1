"""A journal round by round. Of the round in play, only the rows that say nothing about its cards may be
published.

Those are the rows before its first key and its first card: a key closes betting, and no card has a place
before that. Later rows could give the face-down card away, if only by what is due next; they are published
when the round has ended.
"""

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import Any

from controller.journal.chain import JournalRow
from controller.journal.closed_files import CONTINUED
from controller.journal.errors import JournalError
from controller.journal.signing import CHECKPOINT
from controller.past.replay.rounds import CORRECTED
from controller.table.record.kinds import BY_NAME, SNAPSHOT
from controller.table.record.message_kinds import BY_NAME as MESSAGES

OF_THE_JOURNAL = frozenset({SNAPSHOT, CONTINUED, CHECKPOINT})
"""Kinds of rows that hold no record, and may leave the house."""


def publishable(rows: Sequence[JournalRow]) -> list[JournalRow]:
    """The first rows of a round, as far as they say nothing about its cards."""
    return list(takewhile(_harmless, rows))


def _harmless(entry: JournalRow) -> bool:
    """Only what its kind marks as harmless before the first key and the first card."""
    row = entry.content
    if row.kind == "event":
        message = json.loads(row.body).get("body")
        return isinstance(message, dict) and all(
            name in MESSAGES and MESSAGES[name].before_cards for name in message
        )
    return row.kind in OF_THE_JOURNAL or (row.kind in BY_NAME and BY_NAME[row.kind].before_cards)


@dataclass(frozen=True, slots=True)
class RoundRows:
    """The rows of one round, from the snapshot at its beginning, if there is one, to the next snapshot.

    `number`: 0 if the file with the beginning is gone. `ended`: no row is secret any more. Otherwise the rows
    from `withheld` on are left out; None: none are left out.
    """

    number: int
    rows: tuple[JournalRow, ...]
    ended: bool = True
    withheld: int | None = None


def rounds_of_rows(entries: Iterable[JournalRow]) -> Iterator[RoundRows]:
    """All rounds, oldest first; the last one may not have ended. Only one is in memory at a time. Raises
    JournalError for a row that makes no sense."""
    number, rows = 1, list[JournalRow]()
    for place, entry in enumerate(entries):
        if place == 0 and entry.row > 1:
            number = 0
        begun = _round_begun(entry) if entry.content.kind == SNAPSHOT else None
        if begun:
            if rows:
                yield RoundRows(number, tuple(rows))
            number, rows = begun, []
        rows.append(entry)
    if rows:
        yield _unfinished(number, rows)


def round_of(chapter: RoundRows, entry: JournalRow) -> int:
    """The number of the round that a row is about. A later correction is about the corrected round."""
    return int(body_of(entry)["number"]) if entry.content.kind == CORRECTED else chapter.number


def body_of(entry: JournalRow) -> dict[str, Any]:
    """The JSON object in a row. Raises JournalError if it is not one."""
    try:
        found = json.loads(entry.content.body)
    except (ValueError, RecursionError) as error:
        raise JournalError(f"row {entry.row} of the journal is not JSON: {error}") from error
    if not isinstance(found, dict):
        raise JournalError(f"row {entry.row} of the journal is not a JSON object")
    return found


def _round_begun(snapshot: JournalRow) -> int:
    """The number of the round that begins here; 0 while a card waits, because it may still become the
    face-down card."""
    found = body_of(snapshot)
    return 0 if found.get("strays") else int(found["number"])


def _unfinished(number: int, rows: Sequence[JournalRow]) -> RoundRows:
    safe = publishable(rows)
    withheld = rows[len(safe)].row if len(safe) < len(rows) else None
    return RoundRows(number, tuple(safe), ended=False, withheld=withheld)
