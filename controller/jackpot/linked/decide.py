"""`decide(state, inputs)`: the next entry of a linked progressive, or None if there is nothing to say.

Inputs are idempotent by content: meters only rise, a claim has its amount once, a step and an admin message
count once. So a message that comes twice, late or after the stream was rewound changes nothing.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from controller.jackpot.linked.admin import admin_outcome
from controller.jackpot.linked.apply import ALL, begun, meter_of, with_outcome
from controller.jackpot.linked.entries import (
    Alarm,
    AlarmCode,
    AnyOutcome,
    ClaimEnded,
    Counted,
    InputRange,
    Leader,
    LogEntry,
    OverflowAdded,
    Rewound,
    Won,
)
from controller.jackpot.linked.level import Contributor, LinkedLevel, Position
from controller.jackpot.linked.messages import (
    AdminMessage,
    ClaimMessage,
    InputMessage,
    MeterReading,
    Meters,
    StepMessage,
    TableMessage,
)
from controller.jackpot.linked.wire import MalformedMessage
from controller.jackpot.meter import Meter
from controller.money import part


@dataclass(frozen=True, slots=True)
class Received:
    """A message of PROGRESSIVE_IN. `at`: when JetStream stored it; `digest`: SHA-256 of its subject, time and
    payload; `table`: of its subject, empty for the floor; `signer`: the public key whose signature the
    caller has verified, the floor's for admin messages; empty if there is no good one; `message`: or why it
    is none."""

    sequence: int
    at: float
    digest: str
    table: str
    signer: str
    message: InputMessage | MalformedMessage


def decide(state: LinkedLevel, inputs: Sequence[Received]) -> LogEntry | None:
    """Decides inputs that follow the position of the state, in the order of their stream, as one entry."""
    last, after, out = state.position.last, begun(state), list[AnyOutcome]()
    for received in inputs:
        if received.sequence <= last:
            raise ValueError(f"message {received.sequence} comes after {last}; allowed: rising sequences")
        last = received.sequence
        for outcome in _outcomes(after, received):
            after = with_outcome(after, outcome)
            out.append(outcome)
    if not out:
        return None
    where = InputRange(state.position.incarnation, state.position.last + 1, last, inputs[-1].digest)
    return _entry(state, inputs[-1].at, where, out)


def leader_entry(state: LinkedLevel, instance: str) -> LogEntry:
    """An instance leads from here on."""
    incarnation, last, digest = state.position.incarnation, state.position.last, state.position.digest
    return _entry(
        state, state.at, InputRange(incarnation, last + 1, last, digest), [Leader(instance=instance)]
    )


def rewound_entry(state: LinkedLevel) -> LogEntry:
    """PROGRESSIVE_IN is read again, from its oldest message."""
    return _entry(state, state.at, InputRange(state.position.incarnation + 1, 1, 0, ""), [Rewound()])


def was_rewound(position: Position, oldest: int, last: int, digest: str) -> bool:
    """Whether a stream with these messages is another one than up to `position`. `digest`: of its message
    `position.last`; empty if there is none."""
    if position.last == 0 or oldest > position.last:
        return False
    return last < position.last or digest != position.digest


def known_claims(state: LinkedLevel, inputs: Sequence[Received]) -> tuple[str, ...]:
    """Claims in these inputs that have their amount: a table asks again, or has not heard it."""
    asked = (
        claim
        for received in inputs
        for claim in _claims_in(received.message)
        if claim.startswith(f"{received.table}/") and state.claim(claim)
    )
    return tuple(dict.fromkeys(asked))


def _claims_in(message: InputMessage | MalformedMessage) -> tuple[str, ...]:
    if isinstance(message, ClaimMessage):
        return tuple(share.claim for share in message.claims)
    return (message.claim,) if isinstance(message, StepMessage) else ()


def _entry(state: LinkedLevel, at: float, inputs: InputRange, out: list[AnyOutcome]) -> LogEntry:
    return LogEntry(n=state.n + 1, at=at, before=state.hash, inputs=inputs, out=tuple(out), demo=state.demo)


def _outcomes(state: LinkedLevel, received: Received) -> Iterator[AnyOutcome]:
    message = received.message
    if isinstance(message, MalformedMessage):
        yield from _alarm(state, received.table, "malformed", str(message))
    elif message.level != state.level:
        yield from _alarm(
            state, received.table, "malformed", f"level = {message.level}; allowed: {state.level}"
        )
    elif isinstance(message, AdminMessage):
        yield from admin_outcome(state, message, signed=bool(received.signer))
    else:
        yield from _of_table(state, received, message)


def _of_table(state: LinkedLevel, received: Received, message: TableMessage) -> Iterator[AnyOutcome]:
    one = state.contributors.get((received.table, message.epoch))
    if one is None or not one.admitted:
        yield from _alarm(state, received.table, "epoch", f"epoch {message.epoch} is not admitted")
    elif received.signer != one.public:
        yield from _alarm(state, received.table, "signature", "not signed with the key that was admitted")
    elif state.meter is not None:
        yield from DECIDERS[type(message)](state, received, message, one)


def _reading(
    state: LinkedLevel, received: Received, message: MeterReading, one: Contributor
) -> Iterator[AnyOutcome]:
    """Nothing of a table counts between a fallen meter and its settling."""
    now = message.meters
    below = any(new < old for new, old in zip(now.counts, one.known.counts, strict=True))
    above = any(new > old for new, old in zip(now.counts, one.known.counts, strict=True))
    if one.fell:
        return
    if below and (above or now.row > one.known.row):
        yield Alarm(code="meter fell", table=received.table, why=f"{now} after {one.known}", reading=now)
    elif above and not below:
        if why := _unreasonable(meter_of(state), one, now):
            yield Alarm(code="unreasonable", table=received.table, why=why, reading=now)
        else:
            yield Counted(table=received.table, epoch=message.epoch, reading=now)


def _unreasonable(meter: Meter, one: Contributor, now: Meters) -> str:
    """Why the wagers since the last reading do not count; empty if they do."""
    placed = now.placed.minus(one.known.placed)
    void = now.taken_back.minus(one.known.taken_back)
    counted = one.counted.plus(placed)
    if not (placed.possible and void.possible):
        return f"{placed} more and {void} more void ones are not possible"
    if not (one.refused.minus(void).possible or counted.minus(void).possible):
        return f"{void} more void ones, and {counted} counted"
    rounds = now.rounds - one.known.rounds
    if not meter.is_reasonable(meter.worth(placed.wagered), rounds):
        return f"{placed} more in {rounds} rounds: more than the threshold of a round"
    return ""


def _claims(
    state: LinkedLevel, received: Received, message: ClaimMessage, one: Contributor
) -> Iterator[AnyOutcome]:
    """The claim of a table whose meter fell comes again until the table is settled; it takes its place
    then."""
    for share in message.claims:
        expected = f"{received.table}/{message.epoch}/{message.round}/{share.seat}/{state.level}"
        if share.claim != expected:
            yield from _alarm(state, received.table, "claim", f"claim = {share.claim}; allowed: {expected}")
            return
    if not one.fell:
        yield from _won(state, received, message)


def _won(state: LinkedLevel, received: Received, message: ClaimMessage) -> Iterator[AnyOutcome]:
    """Each share is taken of what the ones before left; the overflow comes in after the last."""
    won_all = False
    for index, share in enumerate(message.claims):
        if state.claim(share.claim):
            continue
        won = _locked(meter_of(state), received, message, index)
        yield won
        state = with_outcome(state, won)
        won_all = won_all or share.share == ALL
    if won_all and (added := meter_of(state).level()) != state.meter:
        yield OverflowAdded(display_before=meter_of(state).cents, display_after=added.cents)


def _locked(meter: Meter, received: Received, message: ClaimMessage, index: int) -> Won:
    share = message.claims[index]
    cents, _ = part(Fraction(share.share, 100), meter.cents, message.chip)
    left = meter.lock(cents) if cents else meter
    after = left.reseed()[0] if share.share == ALL else left
    return Won(
        claim=share.claim,
        table=received.table,
        epoch=message.epoch,
        seat=share.seat,
        share=share.share,
        cents=cents,
        order=(received.sequence, index),
        display_before=meter.cents,
        display_after=after.cents,
    )


def _step(
    state: LinkedLevel, received: Received, message: StepMessage, _one: Contributor
) -> Iterator[AnyOutcome]:
    """A table with a new journal may end the claims of its old one."""
    claim = state.claim(message.claim)
    if claim is None or claim.table != received.table:
        yield from _alarm(state, received.table, "claim", f"{message.claim} is not a claim of this table")
    elif claim.state == "open":
        yield ClaimEnded(claim=claim.claim, to=message.to)
    elif claim.state != message.to:
        yield from _alarm(
            state, received.table, "claim", f"{claim.claim} is {claim.state}; it cannot become {message.to}"
        )


DECIDERS: dict[type[TableMessage], Callable[[LinkedLevel, Received, Any, Contributor], Iterator[AnyOutcome]]]
DECIDERS = {MeterReading: _reading, ClaimMessage: _claims, StepMessage: _step}


def _alarm(state: LinkedLevel, table: str, code: AlarmCode, why: str) -> Iterator[Alarm]:
    """Once per table and code, until something of the table counts again."""
    if (table, code) not in state.alarmed:
        yield Alarm(code=code, table=table, why=why)
