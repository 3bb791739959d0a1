"""The facts of a period, one record for each thing that happened. Times are seconds of Unix time."""

from dataclasses import dataclass, field

from controller.jackpot import Books, Claim
from controller.past.anchor import Anchor
from controller.past.reports.round_figures import RoundFigures
from controller.table.record.notes import MeterMoved


@dataclass(frozen=True, slots=True)
class ReportedRound:
    """One ended round after its corrections. `at`: when it ended; `took`: the seconds since the end of the
    round before, None if there is none or the clock went back."""

    at: float
    took: float | None
    croupier: str
    figures: RoundFigures

    @property
    def void(self) -> bool:
        return self.figures.void


@dataclass(frozen=True, slots=True)
class TimeInterval:
    """Something that lasted. `device` is empty for the table itself; `begins` and `ends` are in the period;
    `open`: it went on after that."""

    device: str
    what: str
    begins: float
    ends: float
    open: bool = False

    @property
    def seconds(self) -> float:
        """0 if the clock was set back."""
        return max(0.0, self.ends - self.begins)


@dataclass(frozen=True, slots=True)
class MeterMovement:
    """A movement of a jackpot's meter."""

    at: float
    note: MeterMoved


@dataclass(frozen=True, slots=True)
class MeterReading:
    """A meter at an instant, in cents; `books` None: an older version wrote none."""

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
    """All facts in the order of the rows. `began` and `ended`: each meter before the first and after the last
    row; `elsewhere`: by how many cents rows in between, with times outside of the period, moved it."""

    rounds: list[ReportedRound] = field(default_factory=list)
    corrected: dict[int, int] = field(default_factory=dict)
    """The number of corrections after the end of a round, by its number."""
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
    """The cents of each claim that was paid in the period, by its number."""
    alerts: list[ReportedEvent] = field(default_factory=list)
    faults: list[ReportedEvent] = field(default_factory=list)
    said: list[Decision] = field(default_factory=list)
    refusals: int = 0
    clock_steps: list[float] = field(default_factory=list)
    """Seconds; below 0: the clock was set back."""
    shoes: int = 0
    first_row: int = 0
    last_row: int = 0
    anchor: Anchor | None = None
    """The newest row of the journal that may be published, also after the period."""
