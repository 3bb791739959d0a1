"""What happens to an instance of a linked progressive, and what it then wants done."""

from dataclasses import dataclass

from controller.jackpot.linked.decide import Received
from controller.jackpot.linked.entries import LogEntry
from controller.jackpot.linked.level import LinkedLevel


@dataclass(frozen=True, slots=True)
class LogEnd:
    """The last entry of the log; all are 0 or empty if there is none. `sequence`: of its message; `own`: the
    hash that the own journal has at `n`, empty if it is shorter."""

    n: int
    hash: str
    sequence: int
    own: str


@dataclass(frozen=True, slots=True)
class LogRead:
    """Entries of the log after the own last one, with the sequences of their messages."""

    entries: tuple[tuple[int, LogEntry], ...]


@dataclass(frozen=True, slots=True)
class JournalRead:
    """Entries of the own journal after the log's last one."""

    entries: tuple[LogEntry, ...]


@dataclass(frozen=True, slots=True)
class Published:
    """The log has the entry, as message `sequence`."""

    sequence: int


@dataclass(frozen=True, slots=True)
class PublishRefused:
    """The log had another last sequence."""


@dataclass(frozen=True, slots=True)
class PublishUnknown:
    """No answer came: the log may have the entry, may get it later, or may never have it."""


@dataclass(frozen=True, slots=True)
class Appended:
    """The journal has the entry on disk."""


@dataclass(frozen=True, slots=True)
class LeaseChanged:
    held: bool


@dataclass(frozen=True, slots=True)
class LogMoved:
    """The log may have new entries."""


@dataclass(frozen=True, slots=True)
class AmountSeen:
    """A table has accepted an amount of entry `n`. `own`: the hash that the own journal has there, empty if
    it is shorter."""

    n: int
    hash: str
    own: str


@dataclass(frozen=True, slots=True)
class InputsRead:
    """Messages of PROGRESSIVE_IN after `Instance.cursor`; `oldest` and `last` are the stream's. `digest`:
    of its message `cursor.last`, empty if there is none."""

    oldest: int
    last: int
    digest: str
    messages: tuple[Received, ...]


@dataclass(frozen=True, slots=True)
class Resolution:
    """Two persons chose which history holds: what does not is set aside, and the instance begins anew with
    a journal that has the entries of the history that holds."""

    state: LinkedLevel


Event = (
    LogEnd
    | LogRead
    | JournalRead
    | Published
    | PublishRefused
    | PublishUnknown
    | Appended
    | LeaseChanged
    | LogMoved
    | AmountSeen
    | InputsRead
    | Resolution
)


@dataclass(frozen=True, slots=True)
class ReadLogEnd:
    pass


@dataclass(frozen=True, slots=True)
class ReadLog:
    """Read the log's entries after `n`."""

    after: int


@dataclass(frozen=True, slots=True)
class ReadJournal:
    """Read the own journal's entries after `n`."""

    after: int


@dataclass(frozen=True, slots=True)
class Publish:
    """Publish the entry if the last message of the log's subject has the sequence `expected`."""

    entry: LogEntry
    expected: int


@dataclass(frozen=True, slots=True)
class Append:
    entry: LogEntry


@dataclass(frozen=True, slots=True)
class Announce:
    """Announce the state after the entry; None: that the level is inoperable."""

    state: LinkedLevel
    entry: LogEntry | None


@dataclass(frozen=True, slots=True)
class Repeat:
    """Announce again what became of these claims."""

    claims: tuple[str, ...]


Command = ReadLogEnd | ReadLog | ReadJournal | Publish | Append | Announce | Repeat
