"""What requests would do, in sentences, and what becomes of them."""

from collections.abc import Iterator
from dataclasses import replace

from controller.table.record.choices import CHOICES
from controller.table.record.events import RequestSubject
from controller.table.record.notes import RequestMoved
from controller.table.record.preview import Preview
from controller.table.state.requests import AnsweredRequest, Request, RequestState
from controller.table.state.table_state import TableState

REPLAYING = frozenset(name for name, choice in CHOICES.items() if choice.replays)


def note_request(state: TableState, request: Request, by: str, because: str = "") -> None:
    """A request is as it is now: `by` whom, empty for nobody, and why."""
    note = RequestMoved(
        request.number, request.about, request.state, request.who, request.why, request.needs,
        request.grants, request.sentences, by, because,
    )  # fmt: skip
    state.notes.append(note)


def close_request(state: TableState, request: Request, outcome: RequestState, by: str, why: str) -> None:
    """A request is open no more: `by` whom, empty where it came too late."""
    ended = replace(request, state=outcome)
    state.shift.requests.close(AnsweredRequest(ended, by, state.shift.at, why, state.number))
    note_request(state, ended, by, why)


def sentences(about: RequestSubject, preview: Preview) -> Iterator[str]:
    """What a request would do. A table shows changed hands; words show changed amounts."""
    yield from preview.sentences
    if about not in REPLAYING:
        for change in preview.changes:
            yield f"{change.about}: {change.before} becomes {change.after}"
