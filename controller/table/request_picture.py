"""Requests as anyone may see them, drawn from the table's state."""

from controller.table.request_view import AnsweredView, RequestView
from controller.table.requests.request import Request
from controller.table.state import TableState


def requests(state: TableState) -> tuple[RequestView, ...]:
    """Those that are open, oldest first."""
    return tuple(map(_request, state.shift.requests.open))


def answered(state: TableState) -> tuple[AnsweredView, ...]:
    """The last ones that are not any more, newest first."""
    return tuple(
        AnsweredView(_request(done.request), done.who, done.at, done.why, done.round)
        for done in state.shift.requests.done
    )


def _request(one: Request) -> RequestView:
    return RequestView(
        one.number, one.about, one.who, one.why, one.at, one.needs, one.grants, one.sentences, one.state,
        one.mark.round,
    )  # fmt: skip
