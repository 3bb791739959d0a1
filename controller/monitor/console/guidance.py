"""What the dealer takes and pays at the seat that is due, wager by wager."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from controller.money import sum_cents
from controller.table.record.views import ClaimView, LineView, TableView

Verb = Literal["take", "pay", "push"]
VERBS: Mapping[str, Verb] = {"win": "pay", "lose": "take", "push": "push"}
"""What an outcome asks of the dealer."""
UNPAID_STAKE = "a share is paid without the stake"


@dataclass(frozen=True, slots=True)
class WagerInstruction:
    """One wager: `cents` to be taken or paid, None: as much as nobody knows. `hand` 0: it is for the seat.
    `claim`: number of the claim that it is paid by, by hand; 0: it is paid in chips."""

    verb: Verb
    wager: str
    hand: int
    stake: int | None
    pays: str
    cents: int | None
    reason: str
    claim: int


@dataclass(frozen=True, slots=True)
class ChipSums:
    """What the dealer takes from a seat and pays to it in chips, in cents; None: as much as nobody knows."""

    take: int | None
    pay: int | None

    @property
    def net(self) -> int | None:
        """What goes to the seat; negative: what it loses."""
        return None if self.take is None or self.pay is None else self.pay - self.take


@dataclass(frozen=True, slots=True)
class Guidance:
    """The seat that is due, its wagers, and their sums without what is paid by hand."""

    seat: int
    wagers: tuple[WagerInstruction, ...]
    chips: ChipSums


def guidance(view: TableView) -> Guidance | None:
    """The next seat in paying order; None while nobody is to be paid."""
    seat = seat_to_pay(view)
    return None if seat is None else Guidance(seat, tuple(_wagers(view, seat)), chips(view, seat))


def seat_to_pay(view: TableView) -> int | None:
    """The next seat in paying order; None while nobody is to be paid."""
    unpaid = next((press.seats for press in view.presses if press.action == "pay"), ())
    return next((seat for seat in unpaid if seat), None)


def chips(view: TableView, seat: int) -> ChipSums:
    """What is taken from a seat, and what is paid to it, in chips."""
    wagers = [wager for wager in _wagers(view, seat) if not wager.claim]
    return ChipSums(_sum(wagers, "take"), _sum(wagers, "pay"))


def _wagers(view: TableView, seat: int) -> Iterator[WagerInstruction]:
    claims = {claim.spot: claim for claim in view.claims if (claim.seat, claim.round) == (seat, view.round)}
    lines = [line for line in view.lines if line.seat == seat]
    of_several = {line.wager for line in lines if line.hand > 1}
    for line in lines:
        if line.wager in claims and line.outcome == "win":
            yield from _claim_instructions(line, claims[line.wager])
        else:
            yield _instruction(line, line.hand if line.wager in of_several else 0)


def _instruction(line: LineView, hand: int) -> WagerInstruction:
    cents = None if line.paid is None else abs(line.paid)
    verb = VERBS[line.outcome]
    return WagerInstruction(verb, line.wager, hand, line.amount, line.pays or "", cents, line.reason, 0)


def _claim_instructions(line: LineView, claim: ClaimView) -> Iterator[WagerInstruction]:
    """The whole share by hand; the line has what is won beside the stake, which is taken. The line of a
    linked jackpot does not say what its share pays."""
    collected = line.amount if line.paid is None else claim.cents - line.paid
    share = WagerInstruction(
        "pay", line.wager, 0, line.amount, line.pays or "", claim.amount, line.reason, claim.number
    )
    yield from (share, WagerInstruction("take", line.wager, 0, collected, "", collected, UNPAID_STAKE, 0))


def _sum(wagers: list[WagerInstruction], verb: Verb) -> int | None:
    return sum_cents(wager.cents for wager in wagers if wager.verb == verb)
