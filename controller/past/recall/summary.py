"""One line about a round, as the list of rounds shows it."""

from dataclasses import dataclass
from json import JSONDecoder

from controller.journal.history import FileReader
from controller.money import sum_cents
from controller.past.recall.query import is_share
from controller.table.record.notes import RoundEnded
from controller.table.record.views import HandView

_CROUPIER = '"croupier":'
"""The name of this field occurs once in a snapshot, so the rest of its 30,000 characters need not be
parsed."""
_SNAPSHOT_AFTER = "SELECT body FROM journal WHERE row > ? AND kind = 'snapshot' ORDER BY row LIMIT 1"


@dataclass(frozen=True, slots=True)
class SeatNet:
    """What a seat won or lost, in cents; None: unknown."""

    seat: int
    net: int | None


@dataclass(frozen=True, slots=True)
class RoundSummary:
    """An ended round after its corrections, and the row in which it ended.

    `at`: when it ended, seconds of Unix time. `wagered` and `paid`: cents of all wagers, None if one of them
    is unknown. `jackpot`: the won shares of jackpots in cents, with their stakes. `croupier`: the dealer,
    empty if none was recorded.
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
    shown = ended.round
    shares = (cents for line in shown.lines if is_share(line.pays) for cents in (line.amount, line.paid))
    return RoundSummary(
        number=shown.number,
        row=row,
        at=at,
        outcome=shown.outcome,
        corrected=bool(shown.corrections),
        dealer=shown.dealer,
        nets=tuple(SeatNet(seat.seat, seat.net) for seat in shown.seats if seat.hands),
        bank=shown.bank,
        wagered=sum_cents(line.amount for line in shown.lines),
        paid=sum_cents(line.paid for line in shown.lines),
        jackpot=sum_cents(shares),
        croupier=croupier,
    )


def dealer_of(reader: FileReader, row: int) -> str:
    """The dealer when the round of that row ended, from the snapshot after it; empty if none was recorded."""
    snapshots = reader.select(_SNAPSHOT_AFTER, (row,))
    return dealer_in(snapshots[0][0]) if snapshots else ""


def dealer_in(snapshot: str) -> str:
    """The dealer in the text of a snapshot; empty if it has none."""
    _, field, rest = snapshot.rpartition(_CROUPIER)
    return str(JSONDecoder().raw_decode(rest)[0]) if field else ""
