"""What each request would do, and the code that carries it out."""

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
class RequestHandler:
    """`preview` says what the request would do; `apply` carries it out in the names of its persons. Both
    raise NotAllowed."""

    preview: Callable[[TableState, Request], Preview]
    apply: Callable[[TableState, Request], None]


def _preview_decision(state: TableState, request: Request) -> Preview:
    return decisions.preview_decision(state, _decision(request))


def _decide(state: TableState, request: Request) -> None:
    who, second = request.persons
    decisions.decide(state, replace(_decision(request), who=who, second=second, why=request.why))


def _preview_correction(state: TableState, request: Request) -> Preview:
    return claims.preview_correction(state, replace(_correction(request), second=SOMEBODY))


def _correct_meter(state: TableState, request: Request) -> None:
    who, second = request.persons
    claims.correct_meter(state, replace(_correction(request), who=who, second=second))


def _preview_help(_state: TableState, _request: Request) -> Preview:
    return Preview(())


def _answer_help(_state: TableState, _request: Request) -> None:
    """Granting a call for help changes nothing."""


SUBJECTS: dict[str, RequestHandler] = {
    "undo": RequestHandler(_preview_decision, _decide),
    "help": RequestHandler(_preview_help, _answer_help),
    "void": RequestHandler(_preview_decision, _decide),
    "correct": RequestHandler(_preview_decision, _decide),
    "assign": RequestHandler(_preview_decision, _decide),
    "meter": RequestHandler(_preview_correction, _correct_meter),
    "relink": RequestHandler(_preview_decision, _decide),
    "parameters": RequestHandler(parameters.preview_parameters, parameters.apply_parameters),
}


def _decision(request: Request) -> Supervisor:
    if request.word is None:
        raise NotAllowed(f"{request.about} needs a word")
    return request.word


def _correction(request: Request) -> MeterCorrection:
    if request.meter is None:
        raise NotAllowed(f"{request.about} needs an amount")
    return request.meter
