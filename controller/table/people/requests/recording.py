"""Records requests in the journal, and describes in sentences what they would do."""

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
    """Record the state of a request. `by`: the person who changed it, empty if nobody did; `because`: their
    reason."""
    note = RequestMoved(
        number=request.number,
        about=request.about,
        state=request.state,
        who=request.who,
        why=request.why,
        needs=request.needs,
        grants=request.grants,
        sentences=request.sentences,
        by=by,
        because=because,
    )
    state.notes.append(note)


def close_request(state: TableState, request: Request, outcome: RequestState, by: str, why: str) -> None:
    """Close a request. `by`: the person who answered it, empty if it came too late."""
    ended = replace(request, state=outcome)
    state.shift.requests.close(AnsweredRequest(ended, by, state.shift.at, why, state.number))
    note_request(state, ended, by, why)


def sentences(about: RequestSubject, preview: Preview) -> Iterator[str]:
    """What a request would do. Changed amounts become sentences; pages show changed hands in a table of
    their own."""
    yield from preview.sentences
    if about not in REPLAYING:
        for change in preview.changes:
            amount_before, amount_after = change.before, change.after  # or words
            yield f"{change.about}: {amount_before} becomes {amount_after}"
