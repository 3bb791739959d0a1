"""Entries of the log of a linked progressive: what was decided, tied to the entry before by SHA-256.

An entry is one JSON object. Its last field is `hash`: SHA-256 over the bytes of the hash before and the
bytes of the object without that field. An entry has no unknown fields: a reader that does not know a field
does not know what it moves.
"""

import hashlib
from typing import Annotated, Literal, NamedTuple

from pydantic import ConfigDict, Field, TypeAdapter, ValidationError

from controller.jackpot.linked.messages import LevelParameters, Meters
from controller.jackpot.linked.wire import (
    AdminId,
    Cents,
    ClaimId,
    Count,
    Epoch,
    Hash,
    Key,
    MalformedMessage,
    Message,
    Name,
    Number,
    Part,
    Percent,
    Person,
    Reason,
    Seat,
    UnixTime,
    fault_of,
)


class LogFault(Exception):
    """An entry cannot stand where it stands."""


class NotNext(LogFault):
    """The entry does not follow the one before: two histories exist."""


class Contradiction(LogFault):
    """The entry says what the entries before it cannot lead to."""


def first_hash(level: str) -> str:
    """The hash before the first entry of a level."""
    return hashlib.sha256(f"progressive {level}".encode()).hexdigest()


class Outcome(Part):
    """What an entry does; it has no unknown fields."""

    model_config = ConfigDict(extra="forbid")


class Decided(Outcome):
    """What two persons decided, in the message `id`."""

    id: AdminId
    who: tuple[Person, Person]
    why: Reason


class Counted(Outcome):
    """A table's meters rose; the differences contribute."""

    kind: Literal["meter"] = "meter"
    table: Name
    epoch: Epoch
    reading: Meters


class Won(Outcome):
    """Cents were locked for a claim; at 100 percent the level began again."""

    kind: Literal["won"] = "won"
    claim: ClaimId
    table: Name
    epoch: Epoch
    seat: Seat
    share: Percent
    cents: Cents
    order: tuple[Count, Count]
    display_before: Cents
    display_after: Cents


class OverflowAdded(Outcome):
    """After the last share of a round in which all was won, the overflow went to the display."""

    kind: Literal["overflow"] = "overflow"
    display_before: Cents
    display_after: Cents


class ClaimEnded(Outcome):
    kind: Literal["step"] = "step"
    claim: ClaimId
    to: Literal["paid", "void"]


class Admitted(Decided):
    kind: Literal["admitted"] = "admitted"
    table: Name
    epoch: Epoch
    public: Key


class Removed(Decided):
    kind: Literal["removed"] = "removed"
    table: Name
    epoch: Epoch


class ParametersSet(Decided):
    """`waits`: they apply once the level is won."""

    kind: Literal["parameters"] = "parameters"
    parameters: LevelParameters
    waits: bool


class Corrected(Decided):
    kind: Literal["correction"] = "correction"
    display_before: Cents
    display_after: Cents


class Settled(Decided):
    """A table counts on from these meters."""

    kind: Literal["settled"] = "settled"
    table: Name
    epoch: Epoch
    reading: Meters


class Resolved(Decided):
    """Which history held after a fork."""

    kind: Literal["resolved"] = "resolved"
    take: Literal["log", "journal"]


AlarmCode = Literal["malformed", "signature", "epoch", "meter fell", "unreasonable", "claim", "refused"]


class Alarm(Outcome):
    """Something did not count. `reading`: meters that are known from now on although nothing counted;
    `id`: of the admin message that was refused."""

    kind: Literal["alarm"] = "alarm"
    code: AlarmCode
    table: str = ""
    why: str
    reading: Meters | None = None
    id: str = ""


class Rewound(Outcome):
    """PROGRESSIVE_IN was shorter than the log says, or had another message: it is read from its oldest
    message."""

    kind: Literal["rewound"] = "rewound"


class Leader(Outcome):
    kind: Literal["leader"] = "leader"
    instance: Name


AnyOutcome = Annotated[
    Counted
    | Won
    | OverflowAdded
    | ClaimEnded
    | Admitted
    | Removed
    | ParametersSet
    | Corrected
    | Settled
    | Resolved
    | Alarm
    | Rewound
    | Leader,
    Field(discriminator="kind"),
]


class InputRange(NamedTuple):
    """The messages of PROGRESSIVE_IN that an entry decided: from sequence `first` to `last`, none if `last`
    is less. `digest`: of message `last`, empty if none was ever read in this incarnation."""

    incarnation: Count
    first: Count
    last: Count
    digest: str


class LogEntry(Message):
    """`before`: the hash of entry `n - 1`; `at`: when JetStream stored the last input; `demo`: not for real
    money."""

    model_config = ConfigDict(extra="forbid", populate_by_name=True)

    n: Number
    at: UnixTime
    before: Hash
    inputs: Annotated[InputRange, Field(alias="in")]
    out: Annotated[tuple[AnyOutcome, ...], Field(min_length=1)]
    demo: bool = False

    @property
    def hash(self) -> str:
        return hashlib.sha256(bytes.fromhex(self.before) + super().payload).hexdigest()

    @property
    def payload(self) -> bytes:
        content = super().payload
        digest = hashlib.sha256(bytes.fromhex(self.before) + content).hexdigest()
        return content[:-1] + f',"hash":"{digest}"}}'.encode()


_ENTRY: TypeAdapter[LogEntry] = TypeAdapter(LogEntry)
_HASH = len(',"hash":""}') + 64


def read_entry(payload: bytes) -> LogEntry:
    """Raises MalformedMessage, also for an entry whose hash is not that of its bytes."""
    try:
        entry = _ENTRY.validate_json(payload[:-_HASH] + b"}")
    except ValidationError as error:
        raise MalformedMessage(fault_of(error)) from error
    if entry.payload != payload:
        raise MalformedMessage(f"entry {entry.n} has another hash than its bytes, or another form")
    return entry
