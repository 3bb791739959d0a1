"""What the rows of a period say, one record for each thing that happened. Times are seconds of Unix time."""

from dataclasses import dataclass, field

from controller.jackpot import Books, Claim
from controller.table.record.notes import MeterMoved
from controller.table.record.views import RoundView


@dataclass(frozen=True, slots=True)
class PlayedRules:
    """By which rounds were played: a game's id, and its options as JSON, ordered by name."""

    game: str
    options: str


@dataclass(frozen=True, slots=True)
class ReportedRound:
    """One ended round by its last word; `at`: when it ended, `took`: since the one before it ended, None
    where there is none or the clock went back."""

    at: float
    took: float | None
    croupier: str
    rules: PlayedRules
    round: RoundView

    @property
    def void(self) -> bool:
        """It does not count."""
        return self.round.outcome == "void"


@dataclass(frozen=True, slots=True)
class TimeInterval:
    """Something that lasted: `device` is empty for the table itself; `begins` and `ends` are within the
    period, and `open` says that it went on."""

    device: str
    what: str
    begins: float
    ends: float
    open: bool = False

    @property
    def seconds(self) -> float:
        """How long; a clock that was set back makes it none."""
        return max(0.0, self.ends - self.begins)


@dataclass(frozen=True, slots=True)
class MeterMovement:
    """A movement of a jackpot's meter."""

    at: float
    note: MeterMoved


@dataclass(frozen=True, slots=True)
class MeterReading:
    """A jackpot's meter at an instant, in cents; `books` None: an older version kept none."""

    cents: int
    books: Books | None


@dataclass(frozen=True, slots=True)
class ReportedEvent:
    """A significant event of a device, or an alert."""

    at: float
    code: str
    device: str
    text: str


@dataclass(frozen=True, slots=True)
class Decision:
    """What a person decided."""

    at: float
    who: str
    second: str
    what: str
    why: str


@dataclass(slots=True)
class Facts:
    """All of a period, in the order of the rows.

    `tables` and `versions`: which played; `began` and `ended`: each meter before the first and after the last
    row; `elsewhere`: by how many cents rows between them, that are stamped outside of the period, moved it.
    """

    rounds: list[ReportedRound] = field(default_factory=list)
    corrected: dict[int, int] = field(default_factory=dict)
    """By a round's number, how many corrections were noted after it had ended."""
    tables: list[str] = field(default_factory=list)
    versions: list[str] = field(default_factory=list)
    intervals: list[TimeInterval] = field(default_factory=list)
    suspensions: list[TimeInterval] = field(default_factory=list)
    dealing: list[TimeInterval] = field(default_factory=list)
    movements: list[MeterMovement] = field(default_factory=list)
    began: dict[str, MeterReading] = field(default_factory=dict)
    ended: dict[str, MeterReading] = field(default_factory=dict)
    elsewhere: dict[str, int] = field(default_factory=dict)
    claims: dict[int, Claim] = field(default_factory=dict)
    paid: dict[int, int] = field(default_factory=dict)
    """Cents by the number of a claim that was paid in the period."""
    alerts: list[ReportedEvent] = field(default_factory=list)
    faults: list[ReportedEvent] = field(default_factory=list)
    said: list[Decision] = field(default_factory=list)
    refusals: int = 0
    clock_steps: list[float] = field(default_factory=list)
    """Seconds ahead, under 0 back."""
    shoes: int = 0
    first_row: int = 0
    last_row: int = 0
