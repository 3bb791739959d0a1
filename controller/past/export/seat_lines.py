"""The sessions of seats as they leave the journal: in JSON, and on a sheet. This imports nothing that
computes them, so that the web server can describe them."""

import json
from dataclasses import asdict, dataclass, fields
from typing import Final

from controller.past.export.cells import Cell, money
from controller.past.export.lines import iso_time

ABSENT: Final = 3
"""Rounds without a wager after which a seat counts as left, unless somebody says otherwise."""


@dataclass(frozen=True, slots=True)
class SessionLine:
    """A session of a seat. Amounts in minor units of the currency, times in seconds of Unix time."""

    seat: int
    """The number of the seat."""
    begun: float
    """When its first round began."""
    ended: float
    """When its last round ended."""
    first_round: int
    """The first round in which it had a wager."""
    last_round: int
    """The last round in which it had a wager."""
    rounds: int
    """How many rounds it had a wager in."""
    handle: int
    """The stakes on the hands, doubles and splits among them."""
    average_bet: int
    """The stakes on the hands by round, rounded down."""
    side_handle: int
    """All other stakes: side bets and insurance."""
    won: int
    """What the seat won without its stakes, below 0 if it lost."""
    theoretical_win: int | None
    """What the house expects to win of the rated stakes, rounded; None if no stake is rated."""
    rated_handle: int
    """The stakes whose exact odds are known."""
    unknown: int
    """Wagers that no sensor could value; they are in no sum."""
    open: bool
    """Whether the seat had not been left when the journal ended."""
    currency: str
    """The code of the currency."""


HEADINGS: Final = tuple(each.name for each in fields(SessionLine))


@dataclass(frozen=True, slots=True)
class SeatsOfPeriod:
    """`begins` and `ends` of the period in seconds of Unix time. `sessions`: in the order in which they were
    left."""

    period: str
    begins: float
    ends: float
    sessions: tuple[SessionLine, ...]


def csv_cells(line: SessionLine) -> tuple[Cell, ...]:
    """A line of the sheet, below HEADINGS."""
    return (
        line.seat,
        iso_time(line.begun),
        iso_time(line.ended),
        line.first_round,
        line.last_round,
        line.rounds,
        money(line.handle),
        money(line.average_bet),
        money(line.side_handle),
        money(line.won),
        money(line.theoretical_win),
        money(line.rated_handle),
        line.unknown,
        "yes" if line.open else "no",
        line.currency,
    )


def json_line(line: SessionLine) -> bytes:
    """One JSON object."""
    return json.dumps(asdict(line), separators=(",", ":")).encode("ascii") + b"\n"
