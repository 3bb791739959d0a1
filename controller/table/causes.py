"""What an alert or a suspension is about: its kind, and which one of that kind.

The kinds that alerts.py lists by when they end are all that there are.
"""

from typing import Literal, NewType

Kind = Literal[
    "accounts", "attempt", "balance", "card", "cards", "certificate", "chips", "claim", "clock", "command",
    "configuration", "contribution", "correction", "cover", "decks", "disk", "door", "empty", "events",
    "fault", "held", "jam", "latency", "ledger", "loaded", "memory", "mirror", "missing", "notice", "pack",
    "page", "parameters", "pending", "rejected", "report", "sensor", "tamper", "test", "unplayed", "unread",
    "wager",
]  # fmt: skip

Cause = NewType("Cause", str)
"""The kind and what tells it from others of that kind, with a blank between: "missing sensors", "claim 4"."""


def cause(kind: Kind, *which: object) -> Cause:
    """The only way to make one, so that a kind without a place in the table of endings cannot occur."""
    return Cause(" ".join((kind, *map(str, which))))


def kind_of(about: str) -> str:
    """The kind of a cause."""
    return about.partition(" ")[0]
