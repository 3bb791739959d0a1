"""What requests would do, in sentences, and what becomes of them."""

from collections.abc import Iterator
from dataclasses import replace

from controller.table.record.events import About
from controller.table.record.notes import RequestMoved
from controller.table.record.preview import Preview
from controller.table.state.requests import Answer, Became, Request
from controller.table.state.table_state import TableState

RETOLD: frozenset[About] = frozenset({"undo", "correct", "assign"})
"""Requests that replay the round with a change."""


def move(state: TableState, request: Request, by: str, because: str = "") -> None:
    """A request is as it is now: `by` whom, empty for nobody, and why."""
    note = RequestMoved(
        request.number, request.about, request.state, request.who, request.why, request.needs,
        request.grants, request.sentences, by, because,
    )  # fmt: skip
    state.notes.append(note)


def end(state: TableState, request: Request, became: Became, by: str, why: str) -> None:
    """A request is open no more: `by` whom, empty where it came too late."""
    ended = replace(request, state=became)
    state.shift.requests.close(Answer(ended, by, state.shift.at, why, state.number))
    move(state, ended, by, why)


def sentences(about: About, seen: Preview) -> Iterator[str]:
    """What a request would do. A table shows changed hands; words show changed amounts."""
    yield from seen.sentences
    if about not in RETOLD:
        for change in seen.changes:
            yield f"{change.about}: {change.before} becomes {change.after}"
