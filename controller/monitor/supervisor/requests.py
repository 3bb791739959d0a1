"""What others ask for, as whoever may answer sees it."""

from collections.abc import Mapping
from dataclasses import dataclass

from controller.table.record.views import AnsweredView, RequestView, TableView

ABOUT: Mapping[str, str] = {
    "undo": "Take back the last key",
    "help": "The dealer calls",
    "void": "Void the round",
    "correct": "Put a card right",
    "assign": "A card came late",
    "meter": "Correct a meter",
    "parameters": "Other parameters",
}
"""What a request is about, in words."""
ANSWERS: Mapping[str, str] = {"grant": "Grant", "decline": "Decline", "withdraw": "Withdraw"}
CALLED: Mapping[str, str] = {"grant": "On my way", "decline": "Not now", "withdraw": "Withdraw"}
"""What the answers to a call for help are called."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A request that is open; `missing`: so many persons must still grant it. `labels` name its answers;
    a `call` for help is no more than that."""

    request: RequestView
    title: str
    missing: int
    labels: Mapping[str, str]
    call: bool


@dataclass(frozen=True, slots=True)
class Answered:
    """A request that is not open any more."""

    answer: AnsweredView
    title: str


@dataclass(frozen=True, slots=True)
class Approvals:
    """Open ones, oldest first, and the last that were answered, newest first."""

    open: tuple[Asked, ...]
    answered: tuple[Answered, ...]


def approvals(view: TableView) -> Approvals:
    """All that the table shows."""
    return Approvals(
        tuple(map(_asked, view.requests)),
        tuple(Answered(one, title(one.request)) for one in view.answered),
    )


def labels(request: RequestView) -> Mapping[str, str]:
    """What its answers are called."""
    return CALLED if request.about == "help" else ANSWERS


def title(request: RequestView) -> str:
    """What it is about."""
    return ABOUT.get(request.about, request.about)


def _asked(request: RequestView) -> Asked:
    missing = request.needs - len(request.grants)
    return Asked(request, title(request), missing, labels(request), request.about == "help")
