"""How routes pass a person's act to the table's core, and how they answer a refusal."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Annotated, Any
from uuid import uuid4

from fastapi import FastAPI, Path, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, Response
from pydantic import BaseModel

from controller.access.people import Role
from controller.languages import amount_on_page, translate
from controller.monitor.api.invalid import invalid_body
from controller.monitor.authorization import WebSession, for_roles, with_responses
from controller.monitor.context import WebContext
from controller.socket.client import CallRefused, CoreAway
from controller.socket.codes import Code
from controller.socket.params import Confirmation
from controller.socket.results import Taken
from controller.socket.texts import RequestModel
from controller.table.people.supervisor_commands import MOST_NUMBER
from controller.table.record.preview import Change, Preview
from controller.table.record.views import RequestView, TableView

Number = Annotated[
    int, Path(ge=1, le=MOST_NUMBER, description="The number of the request, the claim or the alert")
]
ENVELOPE = frozenset({"confirm"})
"""Fields of bodies that are not part of the act."""
STATUSES: Mapping[int, int] = {
    Code.FAILED: 500,
    Code.UNKNOWN_METHOD: 503,
    Code.NOT_A_REQUEST: 413,
}
"""HTTP statuses for codes of the table socket. Codes above 0 are statuses already."""


class Problem(BaseModel):
    """A sentence that says why nothing was done."""

    detail: str


class ConfirmProblem(Problem):
    """`confirm`: the kind of secret that the person must type again for this act, if that is missing."""

    confirm: str = ""


class ConfirmedBody(RequestModel):
    """`confirm`: the person's own secret, typed again. An act that takes two persons needs it."""

    confirm: Confirmation | None = None


REFUSAL_RESPONSES: dict[int, dict[str, Any]] = {
    400: {"model": Problem, "description": "The body is not JSON"},
    409: {
        "model": Problem,
        "description": "The table refuses and says why, for example what has changed since the preview",
    },
    503: {"model": Problem, "description": "No table takes decisions here"},
}
CONFIRM_RESPONSES: dict[int, dict[str, Any]] = {
    403: {
        "model": ConfirmProblem,
        "description": "Not for this role; or, with `confirm`, the person must type their secret again",
    },
    423: {"model": Problem, "description": "Locked after too many wrong secrets"},
}


def decision_route(*roles: Role, confirmed: bool = False) -> dict[str, Any]:
    """`for_roles`, for a route that passes an act to the table. `confirmed`: the act may need the person's
    secret again."""
    return with_responses(for_roles(*roles), REFUSAL_RESPONSES, CONFIRM_RESPONSES if confirmed else {})


def fields_of(body: BaseModel, **more: object) -> dict[str, object]:
    """The fields of an act from the body of a request and from its path."""
    return body.model_dump(exclude_none=True, exclude=set(ENVELOPE)) | more


async def act(
    context: WebContext,
    session: WebSession,
    what: Mapping[str, Mapping[str, object]],
    confirm: Confirmation | None = None,
) -> Taken:
    """Returns when the act is on disk. Raises CallRefused or CoreAway, which `refusal` answers."""
    again = confirm.model_dump() if confirm else None
    return await context.core.act(session.token, what, uuid4().hex, again)


async def preview_of(
    context: WebContext, session: WebSession, what: Mapping[str, Mapping[str, object]]
) -> Preview:
    """What the act would do, in the language in use. Raises CallRefused or CoreAway, which `refusal`
    answers."""
    found = await context.core.preview(session.token, what)
    changes = tuple(
        replace(
            change,
            about=translate(change.about),
            before=_value(change, change.before),
            after=_value(change, change.after),
        )
        for change in found.changes
    )
    return replace(found, sentences=tuple(map(translate, found.sentences)), changes=changes)


def _value(change: Change, text: str) -> str:
    """What a change says before or after, in the language and the currency in use."""
    amount = amount_on_page(text) if change.amounts else text
    return translate(text) if amount == text else amount


def request_view(view: TableView, number: int) -> RequestView | None:
    """The request with this number, open or answered; None if the view does not have it."""
    requests = (*view.requests, *(answered.request for answered in view.answered))
    return next((request for request in requests if request.number == number), None)


def add(app: FastAPI) -> None:
    """Answers to refusals of the core, and to bodies that are not allowed."""
    app.add_exception_handler(CallRefused, refusal)
    app.add_exception_handler(CoreAway, refusal)
    app.add_exception_handler(RequestValidationError, invalid_body)


async def refusal(request: Request, error: Exception) -> Response:
    """The answer to a call that the core refused or did not receive."""
    if not isinstance(error, CallRefused):
        return JSONResponse({"detail": translate("the table's daemon does not answer")}, 503)
    if error.code == Code.INVALID_PARAMS:
        fault = {"type": "value_error", "loc": ("body",), "msg": str(error), "input": None}
        return invalid_body(request, RequestValidationError([fault]))
    data = dict(error.data or {})
    seconds = data.get("seconds")
    headers = None if seconds is None else {"Retry-After": str(seconds)}
    confirm = {"confirm": data["confirm"]} if "confirm" in data else {}
    status = STATUSES.get(error.code, error.code)
    return JSONResponse({"detail": translate(str(error)), **confirm}, status, headers)
