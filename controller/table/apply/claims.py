"""What persons say about won jackpots and about meters, and what stands still until they have."""

from collections.abc import Callable

from controller.jackpot import Claim, ClaimRefused, Meter
from controller.jackpot import move as moved
from controller.money import text
from controller.table.apply.jackpots import move, note
from controller.table.errors import NotAllowed
from controller.table.record.events import ClaimStep, MeterCorrection
from controller.table.record.notes import Moved
from controller.table.record.preview import Change, Preview
from controller.table.state.table_state import TableState
from controller.text.characters import same


def step(state: TableState, said: ClaimStep) -> None:
    """A person takes a claim one step on; raises NotAllowed, and has then changed nothing."""
    claim = _moved(state, said)
    if consequence := CONSEQUENCES.get(claim.state):
        kind, turn = consequence
        _turn(state, claim, kind, turn, said)
    note(state, claim)


def preview_step(state: TableState, said: ClaimStep) -> Preview:
    """What it would do; raises NotAllowed."""
    claim = _moved(state, said)
    before = state.register.named(said.claim)
    changes = [Change(f"Claim {claim.number}", before.state, claim.state)]
    if consequence := CONSEQUENCES.get(claim.state):
        meter = state.meters[claim.spot]
        change = _change(claim.spot, meter, consequence[1](claim, meter))
        changes += [change] if change.before != change.after else []
    return Preview((f"Seat {claim.seat}, {claim.hit}: {text(claim.cents)}",), tuple(changes))


def correct(state: TableState, said: MeterCorrection) -> None:
    """Two persons say what a meter shows; raises NotAllowed, and has then changed nothing."""
    move(state, said.spot, "correction", _corrected(state, said), said.why, said.who, said.second)


def preview_correction(state: TableState, said: MeterCorrection) -> Preview:
    """What it would do; raises NotAllowed."""
    meter = _corrected(state, said)
    return Preview((), (_change(said.spot, state.meters[said.spot], meter),))


def frozen(state: TableState) -> tuple[str, int]:
    """Why betting does not close, and a seat: chips lie where a claim is open. Empty: none do."""
    for claim in state.register.open:
        if not state.underway and where(state, claim) in state.chips:
            until = f"until claim {claim.number} is paid or void"
            return f"Seat {claim.seat}: {claim.spot} is frozen {until}: lift the chips", claim.seat
    return "", 0


def unconfirmed(state: TableState) -> Claim | None:
    """The oldest claim whose hand the dealer has not confirmed; None if there is none."""
    return next((claim for claim in state.register.open if claim.state == "pending"), None)


def announcement(number: int, seat: int, cents: int) -> str:
    """The claim with which the prompt begins until the dealer has confirmed the hand."""
    return f"Jackpot {text(cents)}, seat {seat}: confirm claim {number}. "


def named(spot: str) -> str:
    """A jackpot as people are told of it."""
    return f"The jackpot of {spot}"


def where(state: TableState, claim: Claim) -> tuple[int, int] | None:
    """The seat and the place of a claim's spot; None where the game that is played has no such spot."""
    spots = state.game.spots
    return (claim.seat, spots.index(claim.spot)) if claim.spot in spots else None


def _moved(state: TableState, said: ClaimStep) -> Claim:
    try:
        return moved(state.register.named(said.claim), said.step, said.who, said.why)
    except ClaimRefused as refused:
        raise NotAllowed(str(refused)) from refused


def _corrected(state: TableState, said: MeterCorrection) -> Meter:
    if said.spot not in state.meters:
        raise NotAllowed(f"there is no jackpot {said.spot}; allowed: {', '.join(state.meters) or 'none'}")
    if state.underway:
        raise NotAllowed(f"round {state.number} is in play: a meter is corrected between rounds")
    if not said.second.strip() or same(said.who, said.second):
        raise NotAllowed(f"second = {said.second!r}: not allowed; allowed: another person than {said.who}")
    try:
        return state.meters[said.spot].correct(said.cents)
    except ValueError as wrong:
        raise NotAllowed(str(wrong)) from wrong


def _change(spot: str, before: Meter, after: Meter) -> Change:
    return Change(named(spot), text(before.cents), text(after.cents))


def _turn(
    state: TableState, claim: Claim, kind: Moved, turn: Callable[[Claim, Meter], Meter], said: ClaimStep
) -> None:
    """The meter follows; where a later round is in play, it is not that round which moved it."""
    if claim.round != state.number and claim.spot in state.unmoved:
        state.unmoved[claim.spot] = turn(claim, state.unmoved[claim.spot])
    why = f"Claim {claim.number}: {said.why}"
    move(state, claim.spot, kind, turn(claim, state.meters[claim.spot]), why, said.who, claim.second)


def _paid(claim: Claim, meter: Meter) -> Meter:
    return meter.pay(claim.cents)


def _void(claim: Claim, meter: Meter) -> Meter:
    return meter.unlock(claim.cents, claim.reset)


CONSEQUENCES: dict[str, tuple[Moved, Callable[[Claim, Meter], Meter]]] = {
    "paid": ("win", _paid),
    "void": ("correction", _void),
}
"""What a claim's state does to the meter."""
