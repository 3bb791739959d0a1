"""What others ask for, as whoever may answer sees it."""

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
}
"""What a request is about, in words."""
ANSWERS: Mapping[str, str] = {"grant": "Grant", "decline": "Decline", "withdraw": "Withdraw"}
CALL_ANSWERS: Mapping[str, str] = {"grant": "On my way", "decline": "Not now", "withdraw": "Withdraw"}
"""What the answers to a call for help are called."""


@dataclass(frozen=True, slots=True)
class OpenRequest:
    """A request that is open; `missing`: so many persons must still grant it. `labels` name its answers;
    a `call` for help is no more than that."""

    request: RequestView
    title: str
    missing: int
    labels: Mapping[str, str]
    call: bool


@dataclass(frozen=True, slots=True)
class AnsweredRequestRow:
    """A request that is not open any more."""

    answer: AnsweredView
    title: str


@dataclass(frozen=True, slots=True)
class RequestsPanel:
    """Open ones, oldest first, and the last that were answered, newest first."""

    open: tuple[OpenRequest, ...]
    answered: tuple[AnsweredRequestRow, ...]


def requests_panel(view: TableView) -> RequestsPanel:
    """All that the table shows."""
    return RequestsPanel(
        tuple(map(_open_request, view.requests)),
        tuple(AnsweredRequestRow(one, title(one.request)) for one in view.answered),
    )


def labels(request: RequestView) -> Mapping[str, str]:
    """What its answers are called."""
    return CALL_ANSWERS if request.about == "help" else ANSWERS


def title(request: RequestView) -> str:
    """What it is about."""
    return TITLES.get(request.about, request.about)


def _open_request(request: RequestView) -> OpenRequest:
    missing = request.needs - len(request.grants)
    return OpenRequest(request, title(request), missing, labels(request), request.about == "help")
