"""What the dealer takes and pays at the seat that is due, wager by wager."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from controller.money import sum_cents
from controller.table.record.views import ClaimView, LineView, PlayedHandView, TableView

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
class Guidance:
    """The seat that is due; `chips` is what goes to it in chips, in cents, negative: what is taken."""

    seat: int
    hands: tuple[PlayedHandView, ...]
    wagers: tuple[WagerInstruction, ...]
    chips: int | None


def guidance(view: TableView) -> Guidance | None:
    """The next seat in paying order; None while nobody is to be paid."""
    unpaid = next((press.seats for press in view.presses if press.action == "pay"), ())
    due = next((seat for seat in unpaid if seat), None)
    if due is None:
        return None
    seat = next(one for one in view.seats if one.seat == due)
    return Guidance(due, seat.hands, tuple(_wagers(view, due)), chips(view, due))


def chips(view: TableView, seat: int) -> int | None:
    """What goes to a seat in chips, in cents, negative: what is taken; None: as much as nobody knows."""
    return sum_cents(_signed_cents(wager) for wager in _wagers(view, seat) if not wager.claim)


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


def _signed_cents(wager: WagerInstruction) -> int | None:
    return None if wager.cents is None else -wager.cents if wager.verb == "take" else wager.cents
