"""The cause of an alert or a suspension: its kind, and which one of that kind.

alert_endings.py says for each kind when the cause ends.
"""

from typing import Literal, NewType

CauseKind = Literal[
    "accounts",
    "attempt",
    "balance",
    "card",
    "cards",
    "certificate",
    "chips",
    "claim",
    "clock",
    "command",
    "configuration",
    "contribution",
    "correction",
    "cover",
    "decks",
    "disk",
    "door",
    "empty",
    "events",
    "fault",
    "held",
    "jam",
    "latency",
    "ledger",
    "loaded",
    "memory",
    "mirror",
    "missing",
    "notice",
    "pack",
    "page",
    "parameters",
    "pending",
    "rejected",
    "report",
    "sensor",
    "tamper",
    "test",
    "unplayed",
    "unread",
    "wager",
]

Cause = NewType("Cause", str)
"""The kind, a blank, and what tells the cause from others of that kind: "missing sensors", "claim 4"."""


def cause(kind: CauseKind, *which: object) -> Cause:
    """The only way to make a cause, so that every kind has an entry in the table of endings."""
    return Cause(" ".join((kind, *map(str, which))))


def kind_of(about: str) -> str:
    """The kind of a cause."""
    return about.partition(" ")[0]
