"""What the dealer takes and pays at the seat that is due, wager by wager."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from controller.currency import Breakdown, Exchange
from controller.money import sum_cents
from controller.monitor.console.chip_stacks import colour_up_of, in_chips
from controller.table.record.views import ClaimView, LineView, TableView

Verb = Literal["take", "pay", "push"]
VERBS: Mapping[str, Verb] = {"win": "pay", "lose": "take", "push": "push"}
"""What an outcome asks of the dealer."""
WAGERS_WITH_CHIPS = 3
UNPAID_STAKE = "a share is paid without the stake"


@dataclass(frozen=True, slots=True)
class WagerInstruction:
    """One wager: `cents` to be taken or paid, None: as much as nobody knows. `hand` 0: it is for the seat.
    `claim`: number of the claim that it is paid by, by hand; 0: it is paid in chips. `chips`: the amount in
    chips, if it is paid in them and the table's chips are known."""

    verb: Verb
    wager: str
    hand: int
    stake: int | None
    pays: str
    cents: int | None
    reason: str
    claim: int
    chips: Breakdown | None = None


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
    """The seat that is due, its wagers, and their sums without what is paid by hand. `paid`: the sum to pay
    in chips. `colour_up`: what of the chips that lie at the seat afterwards can be changed into fewer."""

    seat: int
    wagers: tuple[WagerInstruction, ...]
    chips: ChipSums
    paid: Breakdown | None = None
    colour_up: Exchange | None = None

    @property
    def several(self) -> bool:
        """Whether several wagers are paid in chips, so few that there is room for the chips of each."""
        paid = sum(wager.verb == "pay" and not wager.claim for wager in self.wagers)
        return paid > 1 and len(self.wagers) <= WAGERS_WITH_CHIPS


def guidance(view: TableView) -> Guidance | None:
    """The next seat in paying order; None while nobody is to be paid."""
    seat = seat_to_pay(view)
    if seat is None:
        return None
    wagers, sums = tuple(_wagers(view, seat)), chips(view, seat)
    return Guidance(seat, wagers, sums, in_chips(view, sums.pay), colour_up_of(view, _lying(wagers, sums)))


def seat_to_pay(view: TableView) -> int | None:
    """The next seat in paying order; None while nobody is to be paid."""
    unpaid = next((press.seats for press in view.presses if press.action == "pay"), ())
    return next((seat for seat in unpaid if seat), None)


def chips(view: TableView, seat: int) -> ChipSums:
    """What is taken from a seat, and what is paid to it, in chips."""
    wagers = [wager for wager in _wagers(view, seat) if not wager.claim]
    return ChipSums(_sum(wagers, "take"), _sum(wagers, "pay"))


def _lying(wagers: tuple[WagerInstruction, ...], sums: ChipSums) -> Iterator[int | None]:
    """The amounts that lie at the seat when it has been paid: the stakes that stay, and what is paid."""
    yield from (wager.stake for wager in wagers if wager.verb != "take" and not wager.claim)
    yield sums.pay


def _wagers(view: TableView, seat: int) -> Iterator[WagerInstruction]:
    claims = {claim.spot: claim for claim in view.claims if (claim.seat, claim.round) == (seat, view.round)}
    lines = [line for line in view.lines if line.seat == seat]
    of_several = {line.wager for line in lines if line.hand > 1}
    for line in lines:
        if line.wager in claims and line.outcome == "win":
            yield from _claim_instructions(line, claims[line.wager])
        else:
            yield _instruction(view, line, line.hand if line.wager in of_several else 0)


def _instruction(view: TableView, line: LineView, hand: int) -> WagerInstruction:
    cents = None if line.paid is None else abs(line.paid)
    verb = VERBS[line.outcome]
    return WagerInstruction(
        verb,
        line.wager,
        hand,
        line.amount,
        line.pays or "",
        cents,
        line.reason,
        claim=0,
        chips=in_chips(view, cents) if verb == "pay" else None,
    )


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
