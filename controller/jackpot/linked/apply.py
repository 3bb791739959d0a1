"""`apply(state, entry)`: what an entry of the log does to a linked progressive.

The entry must be the next one, and fit the state to the last unit. After it the books balance, and what is
locked equals the open claims; an instance that cannot follow it must stop.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from controller.jackpot.books import UNITS, JackpotReset
from controller.jackpot.linked.entries import (
    Admitted,
    Alarm,
    ClaimEnded,
    Contradiction,
    Corrected,
    Counted,
    InputRange,
    Leader,
    LogEntry,
    NotNext,
    Outcome,
    OverflowAdded,
    ParametersSet,
    Removed,
    Resolved,
    Rewound,
    Settled,
    Won,
)
from controller.jackpot.linked.level import Contributor, LinkedClaim, LinkedLevel, Position
from controller.jackpot.meter import Meter

ALL = 100
"""Per cent: the level begins again."""


def apply(state: LinkedLevel, entry: LogEntry) -> LinkedLevel:
    """Raises NotNext, Contradiction or Unbalanced."""
    check_follows(state, entry)
    if entry.demo != state.demo:
        raise Contradiction(f"entry {entry.n}: demo is {entry.demo}; allowed: {state.demo}")
    _check_range(state.position, entry)
    after = begun(state)
    for outcome in entry.out:
        after = with_outcome(after, outcome)
    after = replace(after, hash=entry.hash, at=entry.at, position=_position(entry.inputs))
    after.audit()
    return after


def check_follows(state: LinkedLevel, entry: LogEntry) -> None:
    """Raises NotNext unless the entry was made after exactly this state."""
    if entry.n != state.n + 1:
        raise NotNext(f"entry {entry.n} comes after {state.n}")
    if entry.before != state.hash:
        raise NotNext(
            f"entry {entry.n} follows {entry.before[:16]}; here entry {state.n} is {state.hash[:16]}"
        )


def begun(state: LinkedLevel) -> LinkedLevel:
    """The state in which the outcomes of the next entry happen."""
    return replace(state, n=state.n + 1)


def with_outcome(state: LinkedLevel, outcome: Outcome) -> LinkedLevel:
    """Raises Contradiction or Unbalanced."""
    try:
        return OUTCOMES[type(outcome)](state, outcome)
    except ValueError as error:
        raise Contradiction(f"entry {state.n}, {outcome}: {error}") from error


def _check_range(position: Position, entry: LogEntry) -> None:
    """The inputs of an entry begin where those of the entry before ended."""
    inputs = entry.inputs
    if any(isinstance(outcome, Rewound) for outcome in entry.out):
        fits = inputs == InputRange(position.incarnation + 1, 1, 0, "")
    elif inputs.last == position.last:
        fits = inputs == InputRange(position.incarnation, position.last + 1, position.last, position.digest)
    else:
        fits = inputs[:2] == (position.incarnation, position.last + 1) and inputs.last > position.last
    if not fits:
        raise Contradiction(f"entry {entry.n} decides {inputs}, which does not follow {position}")


def _position(inputs: InputRange) -> Position:
    return Position(inputs.incarnation, inputs.last, inputs.digest)


def _counted(state: LinkedLevel, outcome: Counted) -> LinkedLevel:
    one = contributor_of(state, outcome.table, outcome.epoch)
    placed = outcome.reading.placed.minus(one.known.placed)
    void = outcome.reading.taken_back.minus(one.known.taken_back)
    if not (placed.possible and void.possible):
        raise Contradiction(f"{outcome.table}: {placed} more and {void} more void ones are not possible")
    meter = meter_of(state)
    if placed.wagers:
        meter = meter.contribute(placed.wagered, placed.wagers)
    after = one.counting(outcome.reading)
    if not after.counted.possible:
        raise Contradiction(f"{outcome.table}: {void} are void, and counted were {after.counted.plus(void)}")
    if void.wagers and after.refused == one.refused:
        meter = meter.take_back(void.wagered, void.wagers)
    counting = replace(state, meter=meter).with_contributor(outcome.table, outcome.epoch, after)
    return counting.without_alarms(outcome.table) if state.alarmed else counting


def _won(state: LinkedLevel, outcome: Won) -> LinkedLevel:
    meter, reset = meter_of(state), JackpotReset()
    _check_display(outcome.claim, meter, outcome.display_before)
    if state.claim(outcome.claim):
        raise Contradiction(f"{outcome.claim} has its amount already")
    if outcome.cents:
        meter = meter.lock(outcome.cents)
    if outcome.share == ALL:
        meter, reset = meter.reseed()
    _check_display(outcome.claim, meter, outcome.display_after)
    claim = LinkedClaim(
        outcome.claim, outcome.table, outcome.seat, outcome.cents, outcome.order, state.n, reset
    )
    return replace(state, meter=meter, open={**state.open, claim.claim: claim}, changed=state.n)


def _overflow_added(state: LinkedLevel, outcome: OverflowAdded) -> LinkedLevel:
    meter = meter_of(state)
    _check_display("overflow", meter, outcome.display_before)
    meter = meter.level()
    _check_display("overflow", meter, outcome.display_after)
    return replace(state, meter=meter)


def _claim_ended(state: LinkedLevel, outcome: ClaimEnded) -> LinkedLevel:
    claim = state.open.get(outcome.claim)
    if claim is None:
        raise Contradiction(f"{outcome.claim} is {outcome.to}, and is not open")
    meter = meter_of(state)
    if claim.cents and outcome.to == "paid":
        meter = meter.pay(claim.cents)
    elif claim.cents:
        meter = meter.unlock(claim.cents, claim.reset)
    others = {name: one for name, one in state.open.items() if name != outcome.claim}
    ended = {**state.ended, claim.claim: replace(claim, state=outcome.to)}
    return replace(state, meter=meter, open=others, ended=ended)


def _admitted(state: LinkedLevel, outcome: Admitted) -> LinkedLevel:
    """A table has one epoch at a time. An epoch that was admitted before counts on from its meters."""
    others = {
        key: replace(one, admitted=False) if key[0] == outcome.table else one
        for key, one in state.contributors.items()
    }
    known = state.contributors.get((outcome.table, outcome.epoch))
    one = replace(known, public=outcome.public, admitted=True) if known else Contributor(outcome.public)
    admitted = replace(_answered(state, outcome.id), contributors=others)
    return admitted.with_contributor(outcome.table, outcome.epoch, one).without_alarms(outcome.table)


def _removed(state: LinkedLevel, outcome: Removed) -> LinkedLevel:
    one = replace(contributor_of(state, outcome.table, outcome.epoch), admitted=False)
    return _answered(state, outcome.id).with_contributor(outcome.table, outcome.epoch, one)


def _parameters_set(state: LinkedLevel, outcome: ParametersSet) -> LinkedLevel:
    parameters, currency = outcome.parameters.checked(), outcome.parameters.currency
    if state.currency and currency not in ("", state.currency):
        raise Contradiction(f"parameters {outcome.id}: currency = {currency}; allowed: {state.currency}")
    meter = state.meter.change(parameters) if state.meter else Meter(parameters)
    if outcome.waits != bool(meter.pending):
        raise Contradiction(
            f"parameters {outcome.id}: waits is {outcome.waits}; allowed: {bool(meter.pending)}"
        )
    answered = _answered(state, outcome.id)
    return replace(answered, meter=meter, changed=state.n, currency=currency or state.currency)


def _corrected(state: LinkedLevel, outcome: Corrected) -> LinkedLevel:
    meter = meter_of(state)
    _check_display(outcome.id, meter, outcome.display_before)
    meter = meter.correct(outcome.display_after)
    return replace(_answered(state, outcome.id), meter=meter, changed=state.n)


def _settled(state: LinkedLevel, outcome: Settled) -> LinkedLevel:
    one = contributor_of(state, outcome.table, outcome.epoch)
    one = one.settled(outcome.reading)
    settled = _answered(state, outcome.id).with_contributor(outcome.table, outcome.epoch, one)
    return settled.without_alarms(outcome.table)


def _resolved(state: LinkedLevel, outcome: Resolved) -> LinkedLevel:
    return _answered(state, outcome.id)


def _alarm(state: LinkedLevel, outcome: Alarm) -> LinkedLevel:
    if outcome.id:
        return _answered(state, outcome.id)
    if outcome.reading is None:
        return replace(state, alarmed=state.alarmed | {(outcome.table, outcome.code)})
    (key,) = (key for key, one in state.contributors.items() if key[0] == outcome.table and one.admitted)
    one = state.contributors[key]
    if outcome.code == "meter fell":
        return state.with_contributor(*key, replace(one, fell=True))
    return state.with_contributor(*key, one.refusing(outcome.reading))


def _nothing(state: LinkedLevel, _outcome: Any) -> LinkedLevel:
    return state


OUTCOMES: dict[type[Outcome], Callable[[LinkedLevel, Any], LinkedLevel]] = {
    Counted: _counted,
    Won: _won,
    OverflowAdded: _overflow_added,
    ClaimEnded: _claim_ended,
    Admitted: _admitted,
    Removed: _removed,
    ParametersSet: _parameters_set,
    Corrected: _corrected,
    Settled: _settled,
    Resolved: _resolved,
    Alarm: _alarm,
    Rewound: _nothing,
    Leader: _nothing,
}


def meter_of(state: LinkedLevel) -> Meter:
    """Raises Contradiction before the first parameters."""
    if state.meter is None:
        raise Contradiction(f"{state.level} has no parameters yet")
    return state.meter


def contributor_of(state: LinkedLevel, table: str, epoch: str) -> Contributor:
    """Raises Contradiction for an epoch that was never admitted."""
    if (one := state.contributors.get((table, epoch))) is None:
        raise Contradiction(f"{table}/{epoch} was never admitted")
    return one


def _answered(state: LinkedLevel, admin: str) -> LinkedLevel:
    return replace(state, answered=state.answered | {admin}).without_alarms("")


def _check_display(what: str, meter: Meter, cents: int) -> None:
    if meter.books.display // UNITS != cents:
        raise Contradiction(f"{what}: the display is {meter.cents} cents; the entry says {cents}")
