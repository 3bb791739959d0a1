"""A tile: what the floor shows of one table."""

from dataclasses import dataclass
from typing import Literal
from zoneinfo import ZoneInfo

from controller.calendar import named_zone
from controller.currency import UNNAMED, Currency
from controller.property.status import (
    NO_DIRECTORY,
    NO_PACE,
    NO_SHIFT,
    SEVERITIES,
    Severity,
    StatusClaim,
    StatusDirectory,
    StatusLevel,
    StatusPace,
    StatusRequest,
    StatusShift,
)

Condition = Literal["open", "suspended", "test", "down", "silent", "unknown"]
"""`open`: the table can play. `suspended`: it cannot, and `why` gives the reasons. `test`: it is in test
mode. `down`: its core does not run. `silent`: it says nothing any more. `unknown`: it has said nothing since
the floor started."""
AlertSource = Literal["table", "floor"]


@dataclass(frozen=True, slots=True)
class TileAlert:
    """An alert of the table itself, with its `number` there, or an alert of the floor about the table.
    `kind`: one of ALERT_KINDS of that source. `since`: when it was raised, in seconds of Unix time; `ended`:
    its cause is over, or never lasted; `who`: the person who has acknowledged an alert of the floor whose
    cause lasts; `todo`: what a person does about an alert of the floor."""

    source: AlertSource
    kind: str
    text: str
    severity: Severity
    since: float
    number: int
    ended: bool = False
    who: str = ""
    todo: str = ""


@dataclass(frozen=True, slots=True)
class Tile:
    """One table. Amounts in minor units, times in seconds of Unix time.

    Before the first status, everything that the table says is empty, 0 or None.
    """

    table: str
    pit: str
    """Empty for a table that is in no pit of the layout."""
    place: int
    """The table's place in the layout of the whole floor, from 0 on."""
    condition: Condition
    why: tuple[str, ...] = ()
    """Why nothing is played, in sentences."""
    stale_since: float | None = None
    """When the last status came, if it is so old that the tile is grey; else None."""
    game: str = ""
    phase: str = ""
    """The phase of the round, as in the table's own view."""
    round: int = 0
    min_bet: int | None = None
    players: int = 0
    dealer: str = ""
    pace: StatusPace = NO_PACE
    shift: StatusShift = NO_SHIFT
    missing: tuple[str, ...] = ()
    """Devices that do not run."""
    requests: tuple[StatusRequest, ...] = ()
    """The open requests, oldest first."""
    claims: tuple[StatusClaim, ...] = ()
    levels: tuple[tuple[str, StatusLevel], ...] = ()
    """What the table last accepted of each linked progressive, by level."""
    alerts: tuple[TileAlert, ...] = ()
    """The most severe first, then the oldest."""
    severity: Severity | None = None
    """How urgently the table needs attention; None if it does not."""
    since: float | None = None
    """Since when it has needed attention so urgently; None if it does not."""
    test: str = ""
    """Who tests the table, and since when."""
    directory: StatusDirectory = NO_DIRECTORY
    """Which directory of the floor the table has, and how many attempts to sign in failed there."""
    software: str = ""
    epoch: str = ""
    """The epoch of the journal that the table now writes."""
    money: Currency = UNNAMED
    """The currency of all amounts; UNNAMED if the table names none."""
    time_zone: str = ""
    """The name of the table's time zone; empty if it names none."""
    cut: bool = False
    """The table had more to say than fits into its status."""

    @property
    def zone(self) -> ZoneInfo | None:
        """The table's time zone; None if it names none that is known here."""
        try:
            return named_zone(self.time_zone) if self.time_zone else None
        except ValueError:
            return None

    @property
    def request(self) -> StatusRequest | None:
        """The oldest open request."""
        return next(iter(self.requests), None)

    @property
    def needs_attention(self) -> bool:
        return self.severity is not None

    @property
    def rank(self) -> int:
        """The place of its severity: 0 is the most severe."""
        return SEVERITIES.index(self.severity) if self.severity else len(SEVERITIES)
