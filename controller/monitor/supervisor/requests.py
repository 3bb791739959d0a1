"""Requests, as the people who may answer them see them."""

from collections.abc import Mapping
from dataclasses import dataclass

from controller.table.record.views import AnsweredView, RequestView, TableView

TITLES: Mapping[str, str] = {
    "undo": "Undo the last key",
    "help": "The dealer calls",
    "void": "Void the round",
    "correct": "Correct a card",
    "assign": "Late card",
    "meter": "Correct a meter",
    "parameters": "New jackpot parameters",
    "relink": "Link a jackpot again",
}
"""Titles by the subject of a request."""
ANSWERS: Mapping[str, str] = {"grant": "Grant", "decline": "Decline", "withdraw": "Withdraw"}
CALL_ANSWERS: Mapping[str, str] = {"grant": "On my way", "decline": "Not now", "withdraw": "Withdraw"}
"""Labels of the answers to a call for help."""


@dataclass(frozen=True, slots=True)
class OpenRequest:
    """An open request. `missing`: the number of people who must still grant it; `labels`: the labels of its
    answers; `call`: whether it is only a call for help."""

    request: RequestView
    title: str
    missing: int
    labels: Mapping[str, str]
    call: bool


@dataclass(frozen=True, slots=True)
class AnsweredRequestRow:
    """A request that has been answered or withdrawn."""

    answer: AnsweredView
    title: str


@dataclass(frozen=True, slots=True)
class RequestsPanel:
    """Open requests, oldest first, and the last answered ones, newest first."""

    open: tuple[OpenRequest, ...]
    answered: tuple[AnsweredRequestRow, ...]


def requests_panel(view: TableView) -> RequestsPanel:
    """The requests that the view has."""
    return RequestsPanel(
        tuple(map(_open_request, view.requests)),
        tuple(AnsweredRequestRow(one, title(one.request)) for one in view.answered),
    )


def labels(request: RequestView) -> Mapping[str, str]:
    """The labels of the answers to a request."""
    return CALL_ANSWERS if request.about == "help" else ANSWERS


def title(request: RequestView) -> str:
    """The title of a request; its subject if that has no title."""
    return TITLES.get(request.about, request.about)


def _open_request(request: RequestView) -> OpenRequest:
    missing = request.needs - len(request.grants)
    return OpenRequest(request, title(request), missing, labels(request), request.about == "help")
