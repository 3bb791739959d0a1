"""Which rows of a round that has not ended may be told: those before its first key and its first card.

Betting is closed by a key, and no card has its place before that. What follows could tell the face-down
card, if only by what is due: it is told when the round has ended.
"""

import json
from collections.abc import Sequence
from itertools import takewhile

from controller.journal.chain import Entry

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


def told(rows: Sequence[Entry]) -> list[Entry]:
    """The first of these rows of one round, as far as they tell nothing of its cards."""
    return list(takewhile(_harmless, rows))


def _harmless(entry: Entry) -> bool:
    row = entry.content
    if row.kind != "event":
        return row.kind in HARMLESS
    message = json.loads(row.body).get("body")
    return isinstance(message, dict) and message.keys() <= HARMLESS_EVENTS
