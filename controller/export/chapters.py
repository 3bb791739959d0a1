"""A journal round by round, and of the round in play only what tells nothing of its cards."""

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from controller.export.told import told
from controller.journal.chain import Entry
from controller.journal.errors import JournalError
from controller.replay.rounds import CORRECTED
from controller.table.rows import SNAPSHOT


@dataclass(frozen=True, slots=True)
class Chapter:
    """The rows of one round: from the snapshot that it begins with, where there is one, to the next.

    `number` is 0 for rows whose beginning is kept no more. `ended`: nothing of it is a secret any more. Of
    one that has not ended the rows from `withheld` on are left out; None: there are none.
    """

    number: int
    rows: tuple[Entry, ...]
    ended: bool = True
    withheld: int | None = None


def chapters(entries: Iterable[Entry]) -> Iterator[Chapter]:
    """All rounds, oldest first, the one that has not ended at last; one after the other is in memory.

    Raises JournalError for a row that makes no sense.
    """
    number, rows = 1, list[Entry]()
    for place, entry in enumerate(entries):
        if place == 0 and entry.row > 1:
            number = 0
        begun = _begun(entry) if entry.content.kind == SNAPSHOT else None
        if begun:
            if rows:
                yield Chapter(number, tuple(rows))
            number, rows = begun, []
        rows.append(entry)
    if rows:
        yield _open(number, rows)


def about(chapter: Chapter, entry: Entry) -> int:
    """The number of the round that a row is about: what was corrected later is about the round it was in."""
    return int(body(entry)["number"]) if entry.content.kind == CORRECTED else chapter.number


def body(entry: Entry) -> dict[str, Any]:
    """What the row says. Raises JournalError for one that makes no sense."""
    try:
        found = json.loads(entry.content.body)
    except (ValueError, RecursionError) as error:
        raise JournalError(f"row {entry.row} of the journal is no JSON: {error}") from error
    if not isinstance(found, dict):
        raise JournalError(f"row {entry.row} of the journal is no JSON object")
    return found


def _begun(snapshot: Entry) -> int:
    """The number of the round that begins here; 0 while a card waits, for it may yet lie face down."""
    found = body(snapshot)
    return 0 if found.get("strays") else int(found["number"])


def _open(number: int, rows: Sequence[Entry]) -> Chapter:
    safe = told(rows)
    withheld = rows[len(safe)].row if len(safe) < len(rows) else None
    return Chapter(number, tuple(safe), ended=False, withheld=withheld)
