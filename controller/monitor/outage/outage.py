"""Why no table can be shown, and what people do about it."""

from dataclasses import dataclass
from typing import Literal

from controller.currency import UNNAMED, Currency
from controller.past.last_meters import LastMeter
from controller.socket.results import HaltedView

OutageKind = Literal["halted", "absent"]
"""The daemon keeps the table halted; or no daemon answers."""


@dataclass(frozen=True, slots=True)
class Cause:
    """`why` is the text of the error, `means` explains its consequences, `steps` are the instructions in
    order."""

    title: str
    why: str
    means: str
    steps: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class LastAmounts:
    """The jackpots as last on disk, and the currency of the journal."""

    meters: tuple[LastMeter, ...] = ()
    money: Currency = UNNAMED


@dataclass(frozen=True, slots=True)
class Outage:
    """All that the page shows: the table, since when no table plays, the cause, and the jackpots as last on
    disk.

    `since` and `again` are in Unix time. At `again` the table restarts by itself; None if a person has to
    restart it.
    """

    status: OutageKind
    table: str
    game: str
    version: str
    since: float
    cause: Cause
    meters: tuple[LastMeter, ...] = ()
    again: float | None = None
    currency: str = ""
    minor_digits: int = 2
    """As `TableView` has them."""


def cause_of(halted: HaltedView) -> Cause:
    """The cause that the daemon of a halted table names."""
    return Cause(halted.title, halted.why, halted.means, halted.steps)


ABSENT = Cause(
    "The table's daemon does not run",
    "No daemon answers at the table's socket",
    "Play has stopped, and no device is served. What is on disk is whole; the devices keep the rest and send "
    "it when the daemon runs again.",
    (
        "Leave cards and chips where they lie. Take no new wagers.",
        "Wait half a minute: the service manager starts the daemon again by itself.",
        "If this page stays, run on the table's computer: systemctl status tableside. It says why. Then "
        "start the service: systemctl start tableside.",
        "If it does not start: settle the round by hand, and call the technician on duty.",
    ),
)
