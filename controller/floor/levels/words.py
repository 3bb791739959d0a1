"""Decisions about a level in sentences, as commands and pages show them."""

from collections.abc import Callable
from typing import Any, Final

from controller.currency import currency_in_use, named_currency, using
from controller.floor.levels.acts import Done, LevelAct
from controller.jackpot.linked.entries import (
    Admitted,
    Alarm,
    Corrected,
    ParametersSet,
    Removed,
    Resolved,
    Settled,
)
from controller.jackpot.linked.messages import LevelParameters, Meters
from controller.money import text

SHOWN: Final = 16
"""Digits of a key: they distinguish it from any other."""


def parameter_words(parameters: LevelParameters) -> str:
    """As "currency USD, seed 500.00, contribution 15.00%, reserve 5.00%, reset 500.00, limit none, threshold
    none"."""
    code = parameters.currency
    reset = parameters.seed if parameters.reset is None else parameters.reset
    shares = f"contribution {parameters.contribution}, reserve {parameters.reserve}"
    with using(named_currency(code) if code else currency_in_use()):
        limits = f"limit {_amount(parameters.limit)}, threshold {_amount(parameters.threshold)}"
        amounts = f"seed {text(parameters.seed)}, {shares}, reset {text(reset)}, {limits}"
    return f"currency {code}, {amounts}" if code else amounts


def reading_words(reading: Meters) -> str:
    """As "row 90: 12 rounds, 14 wagers of 70.00, 1 of 5.00 void"."""
    return (
        f"row {reading.row}: {reading.rounds} rounds, {reading.wagers} wagers of {text(reading.wagered)}, "
        f"{reading.voided_wagers} of {text(reading.voided)} void"
    )


def _amount(cents: int | None) -> str:
    return "none" if cents is None else text(cents)


def _parameters(set_: ParametersSet) -> str:
    waits = "; they wait until the level is won" if set_.waits else ""
    return f"the parameters are {parameter_words(set_.parameters)}{waits}"


def _corrected(one: Corrected) -> str:
    return f"the amount is corrected from {text(one.display_before)} to {text(one.display_after)}"


WORDS: Final[dict[type[Done], Callable[[Any], str]]] = {
    Admitted: lambda one: (
        f"{one.table} is admitted with the journal {one.epoch} and the key {one.public[:SHOWN]}"
    ),
    Removed: lambda one: f"{one.table} is removed with the journal {one.epoch}",
    ParametersSet: _parameters,
    Corrected: _corrected,
    Settled: lambda one: f"{one.table} is settled and counts on from {reading_words(one.reading)}",
    Resolved: lambda one: f"the history of the {one.take} holds",
}


def outcome_words(outcome: Done) -> str:
    """What was done, as a sentence without its point."""
    return WORDS[type(outcome)](outcome)


def act_words(act: LevelAct) -> str:
    """What was done, by whom and why; or why it was refused."""
    if isinstance(act.outcome, Alarm):
        return f"refused: {act.outcome.why}"
    first, second = act.outcome.who
    return f"{outcome_words(act.outcome)}; {first} and {second}: {act.outcome.why}"
