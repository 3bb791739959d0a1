"""What `tableside floor level LEVEL show` prints: lines for people, and an object for machines. Amounts are
written in the currency in use, which should be that of the level."""

from collections.abc import Iterator
from dataclasses import asdict
from typing import Any, Final

from controller.calendar import Calendar
from controller.floor.levels.acts import LevelAct
from controller.floor.levels.desk import LevelPicture
from controller.floor.levels.words import act_words, outcome_words, parameter_words, reading_words
from controller.jackpot.linked.entries import Alarm
from controller.jackpot.linked.level import Contributor, LinkedLevel
from controller.jackpot.linked.messages import LevelParameters
from controller.jackpot.parameters import Parameters
from controller.money import text

MOST_ACTS: Final = 25
"""Acts that are listed, the newest ones."""


def lines(found: LevelPicture, calendar: Calendar) -> Iterator[str]:
    """A line for each thing, the acts newest first."""
    state = found.history.state
    yield _headline(found)
    if state.meter:
        yield f"parameters: {parameter_words(LevelParameters.of(state.meter.parameters, state.currency))}"
    if state.meter and state.meter.pending:
        yield f"once it is won: {parameter_words(LevelParameters.of(state.meter.pending, state.currency))}"
    for (table, epoch), one in sorted(state.contributors.items()):
        yield f"table {table}, journal {epoch}, {_standing(one)}; {reading_words(one.known)}"
    for claim in sorted(state.open.values(), key=lambda one: one.order):
        yield f"open claim {claim.claim}: {text(claim.cents)}, locked by entry {claim.n}"
    for act in reversed(found.history.acts[-MOST_ACTS:]):
        yield f"{calendar.format_time(act.at)}, entry {act.n}, id {act.id}: {act_words(act)}"
    if found.history.fault:
        yield f"the log cannot be followed after entry {state.n}: {found.history.fault}"


def picture_json(found: LevelPicture) -> dict[str, object]:
    """Money in cents of `currency`, the books in ten-thousandths of a cent, times in seconds of Unix time.
    `state` and `announced`: what the leader announces, null if nothing was heard."""
    state, amount = found.history.state, found.amount
    meter = state.meter
    return {
        "level": state.level,
        "n": state.n,
        "hash": state.hash,
        "demo": state.demo,
        "currency": state.currency,
        "cents": meter.cents if meter else None,
        "state": amount.state if amount else None,
        "announced": amount.cents if amount else None,
        "parameters": _parameters(meter.parameters) if meter else None,
        "pending": _parameters(meter.pending) if meter and meter.pending else None,
        "books": asdict(meter.books) if meter else None,
        "tables": [_table(table, epoch, one) for (table, epoch), one in sorted(state.contributors.items())],
        "claims": _claims(state),
        "acts": [_act(act) for act in reversed(found.history.acts[-MOST_ACTS:])],
        "fault": found.history.fault,
    }


def _headline(found: LevelPicture) -> str:
    state, amount = found.history.state, found.amount
    cents = text(state.meter.cents) if state.meter else "no parameters yet"
    announced = f"announced as {amount.state}" if amount else "no amount was heard"
    demo = ", a demonstration" if state.demo else ""
    return f"{state.level}: {cents}, entry {state.n}, {announced}{demo}"


def _standing(one: Contributor) -> str:
    if not one.admitted:
        return "not admitted"
    return "its meter fell" if one.fell else "admitted"


def _parameters(parameters: Parameters) -> dict[str, Any]:
    return LevelParameters.of(parameters).model_dump()


def _table(table: str, epoch: str, one: Contributor) -> dict[str, object]:
    return {
        "table": table,
        "epoch": epoch,
        "public": one.public,
        "admitted": one.admitted,
        "fell": one.fell,
        "reading": one.known.model_dump(),
        "counted": one.counted._asdict(),
        "refused": one.refused._asdict(),
    }


def _claims(state: LinkedLevel) -> list[dict[str, Any]]:
    """The open ones, in the order in which they were locked."""
    found = sorted(state.open.values(), key=lambda one: one.order)
    return [claim.announced.model_dump() for claim in found]


def _act(act: LevelAct) -> dict[str, object]:
    place: dict[str, object] = {"n": act.n, "at": act.at, "id": act.id}
    if isinstance(act.outcome, Alarm):
        return {**place, "kind": "refused", "who": [], "why": act.refused, "text": act_words(act)}
    done = act.outcome
    return {**place, "kind": done.kind, "who": list(done.who), "why": done.why, "text": outcome_words(done)}
