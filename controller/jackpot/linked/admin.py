"""What two persons decide about a linked progressive: each message counts once, or is refused once."""

from collections.abc import Callable, Iterator
from typing import Any

from controller.currency import named_currency, using
from controller.jackpot.linked.entries import (
    Admitted,
    Alarm,
    AnyOutcome,
    Corrected,
    ParametersSet,
    Removed,
    Resolved,
    Settled,
)
from controller.jackpot.linked.level import LinkedLevel
from controller.jackpot.linked.messages import (
    AdminMessage,
    Admit,
    Correct,
    Remove,
    Resolve,
    SetParameters,
    Settle,
)
from controller.jackpot.meter import Meter
from controller.text.characters import same_name


class AdminRefused(Exception):
    """The message cannot be followed now; it says why."""


def admin_outcome(state: LinkedLevel, message: AdminMessage, *, signed: bool) -> Iterator[AnyOutcome]:
    """A refused message is answered too: its id never counts later."""
    if not signed:
        if ("", "signature") not in state.alarmed:
            yield Alarm(code="signature", why=f"admin message {message.id} is not signed by the floor")
        return
    if message.id in state.answered:
        return
    try:
        yield _decision(state, message)
    except (AdminRefused, ValueError) as error:
        yield Alarm(code="refused", why=str(error), id=message.id)


def _decision(state: LinkedLevel, message: AdminMessage) -> AnyOutcome:
    """Raises AdminRefused or ValueError, with amounts in the currency of the level."""
    _check(state, message)
    with using(state.money):
        return DECISIONS[type(message)](state, message)


def _check(state: LinkedLevel, message: AdminMessage) -> None:
    first, second = message.who
    if same_name(first, second):
        raise AdminRefused(f"who = {first}, {second}; allowed: two persons")
    if not isinstance(message, Resolve) and not state.changed <= message.about < state.n:
        raise AdminRefused(
            f"about = {message.about}; allowed: {state.changed} to {state.n - 1}, because the amount or the "
            f"parameters changed at entry {state.changed}"
        )


def _admit(state: LinkedLevel, message: Admit) -> Admitted:
    table = message.value
    if state.currency and table.currency not in ("", state.currency):
        raise AdminRefused(
            f"{table.table} plays in {table.currency}; allowed: {state.currency}, as the level"
        )
    return Admitted(**_decided(message), table=table.table, epoch=table.epoch, public=table.public)


def _remove(state: LinkedLevel, message: Remove) -> Removed:
    table = message.value
    one = state.contributors.get((table.table, table.epoch))
    if one is None or not one.admitted or one.public != table.public:
        raise AdminRefused(f"{table.table}, epoch {table.epoch}, is not admitted with this key")
    return Removed(**_decided(message), table=table.table, epoch=table.epoch)


def _parameters(state: LinkedLevel, message: SetParameters) -> ParametersSet:
    given = message.value
    if state.currency and given.currency not in ("", state.currency):
        raise AdminRefused(
            f"currency = {given.currency}; allowed: {state.currency}, because a level keeps its currency"
        )
    with using(named_currency(given.currency or state.currency)):
        parameters = given.checked()
        meter = state.meter.change(parameters) if state.meter else Meter(parameters)
    return ParametersSet(**_decided(message), parameters=given, waits=bool(meter.pending))


def _correction(state: LinkedLevel, message: Correct) -> Corrected:
    if state.meter is None:
        raise AdminRefused(f"{state.level} has no parameters yet")
    state.meter.correct(message.value.cents)
    return Corrected(**_decided(message), display_before=state.meter.cents, display_after=message.value.cents)


def _settle(state: LinkedLevel, message: Settle) -> Settled:
    table = message.value.table
    epochs = [epoch for (name, epoch), one in state.contributors.items() if name == table and one.admitted]
    if not epochs:
        raise AdminRefused(f"{table} is not admitted")
    return Settled(**_decided(message), table=table, epoch=epochs[0], reading=message.value.reading)


def _resolve(_state: LinkedLevel, message: Resolve) -> Resolved:
    return Resolved(**_decided(message), take=message.value.take)


DECISIONS: dict[type[AdminMessage], Callable[[LinkedLevel, Any], AnyOutcome]] = {
    Admit: _admit,
    Remove: _remove,
    SetParameters: _parameters,
    Correct: _correction,
    Settle: _settle,
    Resolve: _resolve,
}


def _decided(message: AdminMessage) -> dict[str, Any]:
    return {"id": message.id, "who": message.who, "why": message.why}
