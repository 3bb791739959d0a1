"""A journal round by round, and of the round in play only what tells nothing of its cards.

Which rows of a round that has not ended may be told: those before its first key and its first card.

Betting is closed by a key, and no card has its place before that. What follows could tell the face-down
card, if only by what is due: it is told when the round has ended.
"""

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import Any

from controller.journal.chain import JournalRow
from controller.journal.errors import JournalError
from controller.past.replay.rounds import CORRECTED
from controller.table.record.codec import SNAPSHOT

HARMLESS = frozenset({
    "started", "device up", "device running", "device lost", "events missing", "action", "action ended",
    "command refused", "disk", "noticed", "alert", "suspended", "resumed", "cleared", "firmware", "clock",
    "self-test", "snapshot", "continued", "checkpoint", "event", "meter", "meter correction", "claim",
    "claim step", "supervisor", "corrected", "retired", "deck checked", "shoe ended", "asked", "answered",
    "request", "acknowledged", "dealer",
})  # fmt: skip
"""Kinds of rows that may be told before the first key and the first card: meters, claims, corrections,
requests and a supervisor's words are about ended rounds then, and an event is told only if it is harmless
itself. Any other kind is not."""
HARMLESS_EVENTS = frozenset({
    "booted", "tamper", "fault", "door", "cover", "loaded", "shoe_jam", "shuffler_state", "deck_check",
    "shuffler_jam", "wager", "sensor_fault", "cut_card", "empty",
})  # fmt: skip


def publishable(rows: Sequence[JournalRow]) -> list[JournalRow]:
    """The first of these rows of one round, as far as they tell nothing of its cards."""
    return list(takewhile(_harmless, rows))


def _harmless(entry: JournalRow) -> bool:
    row = entry.content
    if row.kind != "event":
        return row.kind in HARMLESS
    message = json.loads(row.body).get("body")
    return isinstance(message, dict) and message.keys() <= HARMLESS_EVENTS


@dataclass(frozen=True, slots=True)
class RoundRows:
    """The rows of one round: from the snapshot that it begins with, where there is one, to the next.

    `number` is 0 for rows whose beginning is kept no more. `ended`: nothing of it is a secret any more. Of
    one that has not ended the rows from `withheld` on are left out; None: there are none.
    """

    number: int
    rows: tuple[JournalRow, ...]
    ended: bool = True
    withheld: int | None = None


def rounds_of_rows(entries: Iterable[JournalRow]) -> Iterator[RoundRows]:
    """All rounds, oldest first, the one that has not ended at last; one after the other is in memory.

    Raises JournalError for a row that makes no sense.
    """
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
    """The number of the round that a row is about: what was corrected later is about the round it was in."""
    return int(body_of(entry)["number"]) if entry.content.kind == CORRECTED else chapter.number


def body_of(entry: JournalRow) -> dict[str, Any]:
    """What the row says. Raises JournalError for one that makes no sense."""
    try:
        found = json.loads(entry.content.body)
    except (ValueError, RecursionError) as error:
        raise JournalError(f"row {entry.row} of the journal is no JSON: {error}") from error
    if not isinstance(found, dict):
        raise JournalError(f"row {entry.row} of the journal is no JSON object")
    return found


def _round_begun(snapshot: JournalRow) -> int:
    """The number of the round that begins here; 0 while a card waits, for it may yet lie face down."""
    found = body_of(snapshot)
    return 0 if found.get("strays") else int(found["number"])


def _unfinished(number: int, rows: Sequence[JournalRow]) -> RoundRows:
    safe = publishable(rows)
    withheld = rows[len(safe)].row if len(safe) < len(rows) else None
    return RoundRows(number, tuple(safe), ended=False, withheld=withheld)
