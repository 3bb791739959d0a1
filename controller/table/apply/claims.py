"""Claims of won jackpots and corrections of meters by persons, and what waits for them."""

import re
from collections.abc import Callable
from dataclasses import replace

from controller.jackpot import OPEN, Claim, ClaimRefused, Meter
from controller.jackpot import move as moved
from controller.money import text
from controller.table.apply.jackpots import TAXED, claim_alert, move_meter, note_claim
from controller.table.errors import NotAllowed
from controller.table.record.causes import cause
from controller.table.record.events import ClaimStep, MeterCorrection, ShareWon
from controller.table.record.notes import MeterMoveKind
from controller.table.record.preview import Change, Preview
from controller.table.state.table_state import TableState
from controller.text.characters import same_name


def apply_step(state: TableState, decision: ClaimStep) -> None:
    """A person moves a claim to its next state. Raises NotAllowed before anything has changed."""
    claim = _moved_claim(state, decision)
    if consequence := _consequence(claim):
        kind, turn = consequence
        _move_meter(state, claim, kind, turn, decision)
    note_claim(state, claim)


def decide_share(state: TableState, won: ShareWon) -> None:
    """A linked progressive has decided the cents of a claim, once: also of one that is void already, whose
    share then goes back."""
    claim = state.register.by_number(won.claim)
    if claim.decided:
        return
    fed, stake = state.rules.progressive(claim.spot), state.game.fixed_stake(claim.spot) or 0
    decided = replace(
        claim,
        cents=won.cents,
        order=won.order,
        n=won.n,
        base=won.shown,
        by_two=won.cents > fed.second_over,
        tax=won.cents > fed.tax_over and won.cents >= TAXED * stake,
    )
    note_claim(state, decided)
    if decided.state in OPEN:
        state.alert(cause("claim", claim.number), claim_alert(claim.number, claim.seat, claim.hit, won.cents))


def preview_step(state: TableState, decision: ClaimStep) -> Preview:
    """What the decision would do. Raises NotAllowed."""
    claim = _moved_claim(state, decision)
    before = state.register.by_number(decision.claim)
    changes = [Change(f"Claim {claim.number}", before.state, claim.state)]
    if consequence := _consequence(claim):
        meter = state.meters[claim.spot]
        change = _change(claim.spot, meter, consequence[1](claim, meter))
        changes += [change] if change.before != change.after else []
    amount = text(claim.cents) if claim.decided else "not decided yet"
    return Preview((f"Seat {claim.seat}, {claim.hit}: {amount}",), tuple(changes))


def correct_meter(state: TableState, decision: MeterCorrection) -> None:
    """Two persons set a meter. Raises NotAllowed before anything has changed."""
    move_meter(
        state,
        decision.spot,
        "correction",
        _corrected_meter(state, decision),
        decision.why,
        decision.who,
        decision.second,
    )


def preview_correction(state: TableState, decision: MeterCorrection) -> Preview:
    """What it would do; raises NotAllowed."""
    meter = _corrected_meter(state, decision)
    return Preview((), (_change(decision.spot, state.meters[decision.spot], meter),))


def frozen_spot(state: TableState) -> tuple[str, int]:
    """Why betting must not close, and the seat: chips lie on a spot with an open claim. Empty if none do."""
    for claim in state.register.open:
        if not state.underway and claim_spot(state, claim) in state.chips:
            until = f"until claim {claim.number} is paid or void"
            return f"Seat {claim.seat}: {claim.spot} is frozen {until}: lift the chips", claim.seat
    return "", 0


def oldest_unconfirmed(state: TableState) -> Claim | None:
    """The oldest claim whose hand the dealer has not confirmed; None if there is none."""
    return next((claim for claim in state.register.open if claim.state == "pending"), None)


ANNOUNCEMENT = "Jackpot {amount}, seat {seat}: confirm claim {claim}. "
"""How the prompt begins until the dealer has confirmed the hand of a claim."""
PENDING = "PENDING"
"""In the place of an amount that a linked progressive has not decided yet."""
_ANNOUNCED = re.compile(re.sub(r"\\{\w+\\}", rf"(?:[\\d.]+|{PENDING})", re.escape(ANNOUNCEMENT)))


def announcement(number: int, seat: int, cents: int | None) -> str:
    """The beginning of the prompt while a claim is not confirmed."""
    amount = PENDING if cents is None else text(cents)
    return ANNOUNCEMENT.format(amount=amount, seat=seat, claim=number)


def without_announcement(prompt: str) -> str:
    """The prompt without a claim at its beginning: what is due in play."""
    found = _ANNOUNCED.match(prompt)
    return prompt[found.end() :] if found else prompt


def jackpot_name(spot: str) -> str:
    """The name of a jackpot in sentences."""
    return f"The jackpot of {spot}"


def claim_spot(state: TableState, claim: Claim) -> tuple[int, int] | None:
    """The seat and the index of a claim's spot; None if the present game has no such spot."""
    spots = state.game.spots
    return (claim.seat, spots.index(claim.spot)) if claim.spot in spots else None


def _consequence(claim: Claim) -> "Consequence | None":
    """What a step does to the table's own meter; None if it does nothing to it."""
    return None if claim.level else CONSEQUENCES.get(claim.state)


def _moved_claim(state: TableState, decision: ClaimStep) -> Claim:
    try:
        return moved(state.register.by_number(decision.claim), decision.step, decision.who, decision.why)
    except ClaimRefused as refused:
        raise NotAllowed(str(refused)) from refused


def _corrected_meter(state: TableState, decision: MeterCorrection) -> Meter:
    if decision.spot not in state.meters:
        raise NotAllowed(f"there is no jackpot {decision.spot}; allowed: {', '.join(state.meters) or 'none'}")
    if state.underway:
        raise NotAllowed(f"round {state.number} is in play: a meter is corrected between rounds")
    if not decision.second.strip() or same_name(decision.who, decision.second):
        raise NotAllowed(
            f"second = {decision.second!r}: not allowed; allowed: another person than {decision.who}"
        )
    try:
        return state.meters[decision.spot].correct(decision.cents)
    except ValueError as wrong:
        raise NotAllowed(str(wrong)) from wrong


def _change(spot: str, before: Meter, after: Meter) -> Change:
    return Change(jackpot_name(spot), text(before.cents), text(after.cents), amounts=True)


def _move_meter(
    state: TableState,
    claim: Claim,
    kind: MeterMoveKind,
    turn: Callable[[Claim, Meter], Meter],
    decision: ClaimStep,
) -> None:
    """Move the meter. If a later round is in play, its meters before the round move too."""
    if claim.round != state.number and claim.spot in state.meters_before:
        state.meters_before[claim.spot] = turn(claim, state.meters_before[claim.spot])
    why = f"Claim {claim.number}: {claim.why}"
    move_meter(
        state, claim.spot, kind, turn(claim, state.meters[claim.spot]), why, decision.who, claim.second
    )


def _paid(claim: Claim, meter: Meter) -> Meter:
    return meter.pay(claim.cents)


def _void(claim: Claim, meter: Meter) -> Meter:
    return meter.unlock(claim.cents, claim.reset)


Consequence = tuple[MeterMoveKind, Callable[[Claim, Meter], Meter]]
CONSEQUENCES: dict[str, Consequence] = {
    "paid": ("win", _paid),
    "void": ("correction", _void),
}
"""What a claim's state does to the meter."""
