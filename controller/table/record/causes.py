"""The cause of an alert or a suspension: its kind, and which one of that kind.

alert_endings.py says for each kind when the cause ends.
"""

from typing import Literal, NewType

CauseKind = Literal[
    "account",
    "accounts",
    "attempt",
    "balance",
    "card",
    "cards",
    "certificate",
    "chips",
    "claim",
    "clock",
    "closed",
    "command",
    "configuration",
    "contribution",
    "correction",
    "cover",
    "decks",
    "directory",
    "disk",
    "door",
    "empty",
    "events",
    "fault",
    "held",
    "jam",
    "lamp",
    "latency",
    "ledger",
    "linked",
    "loaded",
    "memory",
    "message",
    "mirror",
    "missing",
    "notice",
    "pack",
    "page",
    "parameters",
    "pending",
    "reader",
    "rejected",
    "report",
    "seal",
    "secrets",
    "sensor",
    "shipping",
    "socket",
    "tamper",
    "test",
    "unplayed",
    "unread",
    "unshipped",
    "uplink",
    "wager",
]

Cause = NewType("Cause", str)
"""The kind, then a space and what distinguishes the cause from others of its kind, if anything does:
"missing sensors", "claim 4", "mirror"."""


def cause(kind: CauseKind, *which: object) -> Cause:
    """Make causes only with this function: its type ensures that each kind has an entry in the table of alert
    endings."""
    return Cause(" ".join((kind, *map(str, which))))


def kind_of(about: str) -> str:
    """The kind of a cause."""
    return about.partition(" ")[0]
