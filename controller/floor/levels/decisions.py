"""Makes the messages about what two persons decide, and says what the level would do with each."""

import json
from collections.abc import Mapping
from typing import Any, Final

from pydantic import ValidationError

from controller.config.section import CURRENCY
from controller.currency import BadAmount, Currency, named_currency, using
from controller.floor.levels.acts import Done
from controller.floor.levels.history import LevelHistory
from controller.jackpot.linked.admin import admin_outcome
from controller.jackpot.linked.apply import begun
from controller.jackpot.linked.entries import Decided, Removed
from controller.jackpot.linked.level import LinkedLevel
from controller.jackpot.linked.messages import (
    AdminMessage,
    Admission,
    LevelParameters,
    Meters,
    SettledTable,
)
from controller.jackpot.linked.wire import fault_of
from controller.money import percent, percent_text

ABSENT: Final = "none"
"""What takes a parameter away."""
NEEDED: Final = ("currency", "seed", "contribution", "reserve")
"""What the first parameters of a level need."""
SHARES: Final = ("contribution", "reserve")


class DecisionRefused(Exception):
    """The level would refuse the decision now. The message says why."""


class DecisionInvalid(ValueError):
    """The decision has a value that is not allowed. The message names the value, and what is allowed."""


def made(kind: type[AdminMessage], **fields: Any) -> AdminMessage:
    """A message with these fields. Raises DecisionInvalid."""
    try:
        return kind(v=1, **fields)
    except ValidationError as error:
        raise DecisionInvalid(fault_of(error)) from None


def preview(state: LinkedLevel, message: AdminMessage) -> Done:
    """What the level would do with a new message now: the machine says it. Raises DecisionRefused."""
    for outcome in admin_outcome(begun(state), message, signed=True):
        if isinstance(outcome, Decided):
            return outcome
        raise DecisionRefused(getattr(outcome, "why", ""))
    raise DecisionRefused(f"id = {message.id}: the level has answered it; allowed: an id of its own")


def warning(state: LinkedLevel, outcome: Done) -> str:
    """What the persons should know before they decide that; empty if nothing. The level takes no step of a
    table that is not admitted."""
    if not isinstance(outcome, Removed):
        return ""
    claims = ", ".join(claim.claim for claim in state.open.values() if claim.table == outcome.table)
    if not claims:
        return ""
    return f"open claims of {outcome.table} stay open until it is admitted again: {claims}"


def removal(history: LevelHistory, table: str, epoch: str) -> Admission:
    """The admission that ends. `epoch`: empty for the only one. Raises DecisionRefused."""
    for (name, one), contributor in history.state.contributors.items():
        if name == table and epoch in ("", one) and contributor.admitted:
            return Admission(table=name, epoch=one, public=contributor.public)
    raise DecisionRefused(f"{_named(table, epoch)} is not admitted; allowed: {_admitted(history.state)}")


def settlement(history: LevelHistory, table: str, text: str) -> SettledTable:
    """From which meters the table counts on: those of the JSON object in `text`; if it is empty, those with
    which its meter fell. Raises DecisionRefused, DecisionInvalid."""
    admitted = {name: one for (name, _), one in history.state.contributors.items() if one.admitted}
    if table not in admitted:
        raise DecisionRefused(f"table = {table!r}: not admitted; allowed: {_admitted(history.state)}")
    if text:
        return SettledTable(table=table, reading=_reading(text))
    if not admitted[table].fell:
        raise DecisionRefused(
            f"table = {table!r}: its meter has not fallen; needed: --reading, from which it counts on"
        )
    return SettledTable(table=table, reading=history.fell[table])


def changed_parameters(history: LevelHistory, changed: Mapping[str, str]) -> LevelParameters:
    """The newest parameters of the level with those that are given as people type them, amounts in the
    currency of the level; ABSENT takes a reset, a limit or a threshold away. The first ones need all of
    NEEDED. Raises DecisionInvalid."""
    state = history.state
    known: dict[str, Any] = {}
    if state.meter:
        known = {"currency": state.currency, **LevelParameters.of(state.meter.next).model_dump()}
    money = _currency(changed["currency"]) if "currency" in changed else state.money
    given = {name: _typed(name, text, money) for name, text in changed.items()}
    if missing := [name for name in NEEDED if name not in {**known, **given}]:
        raise DecisionInvalid(f"{', '.join(missing)}: missing; the first parameters of a level need them")
    try:
        parameters = LevelParameters(**{**known, **given})
        with using(money):
            parameters.checked()
    except ValidationError as error:
        raise DecisionInvalid(fault_of(error)) from None
    except ValueError as error:
        raise DecisionInvalid(str(error)) from None
    return parameters


def typed_amount(name: str, text: str, money: Currency) -> int:
    """The minor units of an amount. Raises DecisionInvalid."""
    try:
        return money.parse(text)
    except BadAmount:
        raise DecisionInvalid(f"{name} = {text!r}: not allowed; allowed: {money.allowed}") from None


def _typed(name: str, text: str, money: Currency) -> str | int | None:
    """Raises DecisionInvalid."""
    if name == "currency":
        return money.code
    if name in SHARES:
        return _share(name, text)
    return None if text == ABSENT and name not in NEEDED else typed_amount(name, text, money)


def _currency(code: str) -> Currency:
    """Raises DecisionInvalid."""
    try:
        return named_currency(code)
    except ValueError:
        raise DecisionInvalid(f"currency = {code!r}: not allowed; allowed: {CURRENCY}") from None


def _share(name: str, value: str) -> str:
    try:
        return percent_text(percent(value))
    except ValueError as error:
        raise DecisionInvalid(f"{name}: {error}") from None


def _reading(text: str) -> Meters:
    """Raises DecisionInvalid."""
    names = ", ".join(Meters.model_fields)
    try:
        found = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise DecisionInvalid(f"reading = {text!r} is not JSON: {error}") from None
    if not isinstance(found, dict) or found.keys() != Meters.model_fields.keys():
        raise DecisionInvalid(f"reading = {text}: not allowed; allowed: a JSON object with {names}")
    try:
        return Meters(**found)
    except ValidationError as error:
        raise DecisionInvalid(f"reading: {fault_of(error)}") from None


def _named(table: str, epoch: str) -> str:
    return f"table = {table!r}" + (f", epoch = {epoch!r}," if epoch else "")


def _admitted(state: LinkedLevel) -> str:
    found = (f"{name} {epoch}" for (name, epoch), one in state.contributors.items() if one.admitted)
    return ", ".join(sorted(found)) or "none, because no table is admitted"
