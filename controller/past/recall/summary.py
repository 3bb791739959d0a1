"""A round in a line."""

import sqlite3
from dataclasses import dataclass
from json import JSONDecoder

from controller.money import sum_cents
from controller.past.recall.query import is_share
from controller.table.record.notes import RoundEnded
from controller.table.record.views import HandView

_CROUPIER = '"croupier":'
"""A name of a snapshot, and of nothing within: all else in one of 30,000 characters need not be read."""
_BEHIND = "SELECT body FROM journal WHERE row > ? AND kind = 'snapshot' ORDER BY row LIMIT 1"


@dataclass(frozen=True, slots=True)
class SeatNet:
    """What a seat won or lost, in cents; None is unknown."""

    seat: int
    net: int | None


@dataclass(frozen=True, slots=True)
class RoundSummary:
    """An ended round as it says now, and the row that it ended with.

    `at`: when it ended, seconds of Unix time. `wagered` and `paid` are cents of all wagers, None where one is
    unknown; `jackpot`: what shares of jackpots were won, no stake taken off. `croupier`: who dealt, empty
    where nobody said.
    """

    number: int
    row: int
    at: float
    outcome: str
    corrected: bool
    dealer: HandView
    nets: tuple[SeatNet, ...]
    bank: int | None
    wagered: int | None
    paid: int | None
    jackpot: int | None
    croupier: str


def summary(row: int, at: float, ended: RoundEnded, croupier: str) -> RoundSummary:
    """The line of a round."""
    shown = ended.round
    return RoundSummary(
        shown.number, row, at, shown.outcome, bool(shown.corrections), shown.dealer,
        tuple(SeatNet(seat.seat, seat.net) for seat in shown.seats if seat.hands),
        shown.bank,
        sum_cents(line.amount for line in shown.lines),
        sum_cents(line.paid for line in shown.lines),
        sum_cents(cents for line in shown.lines if is_share(line.pays) for cents in (line.amount, line.paid)),
        croupier,
    )  # fmt: skip


def dealer_of(database: sqlite3.Connection, row: int) -> str:
    """Who dealt when the round of that row ended, as the snapshot behind it says."""
    behind = database.execute(_BEHIND, (row,)).fetchone()
    _, named, rest = behind[0].rpartition(_CROUPIER) if behind else ("", "", "")
    return str(JSONDecoder().raw_decode(rest)[0]) if named else ""
