"""What requests are about: what each would do, and what does it."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from controller.table.apply import claims
from controller.table.errors import NotAllowed
from controller.table.people import decisions
from controller.table.people.requests import parameters
from controller.table.record.events import MeterCorrection, Supervisor
from controller.table.record.preview import Preview
from controller.table.state.requests import Request
from controller.table.state.table_state import TableState

SOMEBODY = "another person"
"""Stands for who grants a meter's correction in what is told before that."""


@dataclass(frozen=True, slots=True)
class Subject:
    """`foresee` tells what it would do and raises NotAllowed where it cannot be; `do` does it, as the persons
    of the request."""

    foresee: Callable[[TableState, Request], Preview]
    do: Callable[[TableState, Request], None]


def _foresee_word(state: TableState, request: Request) -> Preview:
    return decisions.foresee(state, _word(request))


def _say(state: TableState, request: Request) -> None:
    who, second = request.persons
    decisions.decide(state, replace(_word(request), who=who, second=second, why=request.why))


def _foresee_meter(state: TableState, request: Request) -> Preview:
    return claims.preview_correction(state, replace(_meter(request), second=SOMEBODY))


def _correct_meter(state: TableState, request: Request) -> None:
    who, second = request.persons
    claims.correct(state, replace(_meter(request), who=who, second=second))


def _foresee_help(_state: TableState, _request: Request) -> Preview:
    return Preview(())


def _seen(_state: TableState, _request: Request) -> None:
    """Somebody comes: nothing is different."""


SUBJECTS: dict[str, Subject] = {
    "undo": Subject(_foresee_word, _say),
    "help": Subject(_foresee_help, _seen),
    "void": Subject(_foresee_word, _say),
    "correct": Subject(_foresee_word, _say),
    "assign": Subject(_foresee_word, _say),
    "meter": Subject(_foresee_meter, _correct_meter),
    "parameters": Subject(parameters.foresee, parameters.hold),
}


def _word(request: Request) -> Supervisor:
    if request.word is None:
        raise NotAllowed(f"{request.about} needs a word")
    return request.word


def _meter(request: Request) -> MeterCorrection:
    if request.meter is None:
        raise NotAllowed(f"{request.about} needs an amount")
    return request.meter
