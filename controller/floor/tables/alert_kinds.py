"""The kinds of the floor's own alerts, how severe each is, and when its cause ends.

The floor watches some causes itself: `watch` says what is wrong now. Others are reported by those parts of
the floor that see them; some of these end as soon as `lasts` fails, the others when their end is reported. A
single event has no end: it stays until a person acknowledges it.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final, Literal

from controller.floor.projector import ADVICE
from controller.floor.tables.record import TableRecord
from controller.property.status import Severity

FloorAlertKind = Literal[
    "alarm",
    "clock skew",
    "core down",
    "directory",
    "floor log",
    "fork",
    "full",
    "gap",
    "late rows",
    "leader",
    "meter fell",
    "no answer",
    "notice",
    "other epoch",
    "reconciliation",
    "refused",
    "replica",
    "rows gone",
    "silent",
    "unknown journal",
    "unreadable row",
    "unreasonable",
]
MOST_SKEW: Final = 2.0
"""The largest difference between the table's clock and the floor's that is not an alert, in seconds."""
LATEST_ROWS: Final = 30.0
"""Seconds for which rows that a table states may be under way."""
SINGLE_EVENT: Final = "never: it is a single event"

Watch = Callable[[TableRecord, float], str]
"""What is wrong with the table at this time, in a sentence; empty if nothing is."""
Lasts = Callable[[TableRecord, int], bool]
"""Whether the cause of an alert about this row lasts."""


@dataclass(frozen=True, slots=True)
class FloorAlertType:
    """`meaning` and `ends` are for the documentation. `todo`: what a person does about it; it may name the
    {table}."""

    severity: Severity
    meaning: str
    ends: str
    todo: str
    watch: Watch | None = None
    lasts: Lasts | None = None

    @property
    def once(self) -> bool:
        """Whether it is a single event."""
        return self.ends == SINGLE_EVENT


def _silent(record: TableRecord, now: float) -> str:
    if not record.is_silent(now):
        return ""
    return "The table says nothing" if record.last_word else "The table has said nothing yet"


def _core_down(record: TableRecord, _now: float) -> str:
    return "The table's core does not run" if record.core_is_down else ""


def _alarm(record: TableRecord, now: float) -> str:
    why = record.alarm(now)
    return f"The table's uplink sends no rows: {why}" if why else ""


def _other_epoch(record: TableRecord, _now: float) -> str:
    status = record.status
    if status is None or status.epoch == record.epoch:
        return ""
    return f"The table writes the journal {status.epoch}; admitted: {record.epoch or 'none'}"


def _skewed(record: TableRecord, _now: float) -> str:
    if record.status is None or record.received is None:
        return ""
    ahead = record.status.at - record.received
    if abs(ahead) <= MOST_SKEW:
        return ""
    return f"The table's clock is {'ahead' if ahead > 0 else 'behind'}, or its status is an old one"


def _late(record: TableRecord, now: float) -> str:
    if record.behind_since is None or now - record.behind_since <= LATEST_ROWS:
        return ""
    return "The table has rows that do not arrive here"


def _missing(record: TableRecord, row: int) -> bool:
    return record.head is None or record.head.row < row


ALERT_KINDS: Final[Mapping[FloorAlertKind, FloorAlertType]] = {
    "fork": FloorAlertType(
        "critical",
        "a table sent rows that contradict those that are stored",
        "when a person has decided",
        ADVICE["fork"],
    ),
    "gap": FloorAlertType(
        "warning",
        "rows of a table are missing",
        "when the first of them is stored",
        ADVICE["gap"],
        lasts=_missing,
    ),
    "rows gone": FloorAlertType(
        "critical",
        "the table does not have the missing rows any more",
        "when two persons have accepted the gap, and a later row is stored",
        ADVICE["rows gone"],
        lasts=_missing,
    ),
    "unknown journal": FloorAlertType(
        "critical",
        "rows came from a journal that is not admitted",
        "when it is admitted",
        ADVICE["unknown journal"],
    ),
    "other epoch": FloorAlertType(
        "critical",
        "a table writes another journal than the one that was admitted",
        "when it is admitted, or the table is back with the admitted one",
        ADVICE["unknown journal"],
        _other_epoch,
    ),
    "alarm": FloorAlertType(
        "critical",
        "an uplink sends no rows, and says why",
        "when it sends rows again",
        "The alert says why. Look at the uplink of {table}, and at the alerts of the table itself",
        _alarm,
    ),
    "refused": FloorAlertType(
        "critical",
        "a message under a table's name was not signed with the table's key",
        SINGLE_EVENT,
        "Find the program that sends under the name {table}. "
        "If its journal has a new key, two persons admit it: tableside floor admit",
    ),
    "unreadable row": FloorAlertType(
        "warning",
        "a stored row cannot be understood, and nothing is derived from it",
        SINGLE_EVENT,
        ADVICE["unreadable row"],
    ),
    "core down": FloorAlertType(
        "warning",
        "a table's core does not run",
        "when it runs",
        "Start the core of {table}: its service on the computer of the table. Its log says why it ended",
        _core_down,
    ),
    "silent": FloorAlertType(
        "warning",
        "a table whose journal is admitted says nothing for 7 s",
        "when it says something",
        "Look at the network and the computer of {table}. The table plays on without the floor",
        _silent,
    ),
    "late rows": FloorAlertType(
        "warning",
        "a table states a row that has not arrived after 30 s, and no other row arrived",
        "when a row arrives",
        "Look at the uplink of {table}: its log says why it sends no rows",
        _late,
    ),
    "clock skew": FloorAlertType(
        "notice",
        "a table's clock differs from the floor's by more than 2 s",
        "when it does not",
        "Set the clock of {table}, or the floor's. Rows and money do not depend on it",
        _skewed,
    ),
    "meter fell": FloorAlertType(
        "critical",
        "a meter of a table for a linked progressive fell",
        "when two persons have settled it",
        "Compare the journal of {table} with the linked progressive; then two persons settle it "
        "(tableside floor level)",
    ),
    "unreasonable": FloorAlertType(
        "critical",
        "a table reports wagers that cannot be, and they do not count",
        SINGLE_EVENT,
        "Compare the wagers of {table} with its report of the day; then two persons correct the level "
        "(tableside floor level)",
    ),
    "reconciliation": FloorAlertType(
        "critical",
        "a linked progressive has other wagers or claims than the rows of a table, or cannot be compared",
        "when they agree, or three gaming days later",
        "Compare the figures that the alert names: tableside floor verify. Two persons correct what is wrong",
    ),
    "leader": FloorAlertType(
        "critical",
        "a linked progressive has no leader",
        "when it has one",
        "Start an instance of tableside floor progressive. Its log says why none leads",
    ),
    "floor log": FloorAlertType(
        "critical",
        "the floor cannot write its own journal: people cannot act from here",
        "when it can",
        "The alert says why. With two different histories, two persons compare them: tableside floor verify",
    ),
    "full": FloorAlertType(
        "warning",
        "a stream is nearly full",
        "when there is room",
        "Find out what fills the stream, or give it more room on the servers",
    ),
    "replica": FloorAlertType(
        "warning",
        "a copy of a stream is behind",
        "when it is not",
        "Look at the servers that the alert names. Do not stop another one meanwhile",
    ),
    "directory": FloorAlertType(
        "warning",
        "a table has not taken its list of people",
        "when it has taken the newest one",
        "Look at the uplink of {table}. The table goes on with the list that it has",
    ),
    "no answer": FloorAlertType(
        "warning",
        "a table has not answered a command after 30 s",
        "when the table has answered",
        "Look at {table}. Then send the command again from its page, or leave it",
    ),
    "notice": FloorAlertType(
        "warning",
        "a table runs another version, or is being tested, and this was not announced",
        "when it is announced, or over",
        "Ask who works on {table}. If nobody may, close the table",
    ),
}
