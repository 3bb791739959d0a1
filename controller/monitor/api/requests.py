"""Somebody asks for what others must grant."""

from dataclasses import dataclass, replace
from typing import Literal

from fastapi import FastAPI, Request

from controller.access.people import Person
from controller.monitor.api.sending import (
    PREVIEW_REASON,
    OptionalReason,
    Reason,
    RequestModel,
    Token,
    decision_route,
    parsed,
    preview_of,
    send,
)
from controller.monitor.authorization import caller, for_roles
from controller.monitor.context import WebContext
from controller.table.people import supervisor_commands
from controller.table.record.events import RequestMade, Supervisor
from controller.table.record.preview import Preview
from controller.table.record.views import AnsweredView, RequestView
from controller.text.characters import same_name


@dataclass(frozen=True, slots=True)
class RequestList:
    """Those that are open, oldest first, and the last ones that are not any more, newest first."""

    open: tuple[RequestView, ...]
    answered: tuple[AnsweredView, ...]


class RequestBody(RequestModel):
    """What is asked for. With `correct`: which card it is, as in a decision. A dealer asks for `undo` of the
    last key, and calls for `help`; dealers and supervisors ask for `void` and `correct`. `token`: that of the
    preview; a call for help needs none."""

    about: Literal["undo", "help", "void", "correct"]
    why: Reason
    token: Token | None = None
    round: int | None = None
    seat: int | None = None
    hand: int | None = None
    number: int | None = None
    old: str | None = None
    card: str | None = None


class RequestPreviewBody(RequestBody):
    """A request to preview; its reason may be missing."""

    why: OptionalReason = PREVIEW_REASON


def add(app: FastAPI, parts: WebContext) -> None:
    """Adds what is asked for."""

    @app.get(
        "/api/v1/requests",
        summary="What others must grant",
        **for_roles("dealer", "supervisor", "auditor"),
    )
    async def requests() -> RequestList:
        view = parts.view()
        return RequestList(view.requests, view.answered)

    @app.post(
        "/api/v1/requests",
        status_code=201,
        summary="Ask for what others must grant",
        **decision_route("dealer", "supervisor"),
    )
    async def ask(body: RequestBody, request: Request) -> RequestView:
        """409 says why it could not be done now, or who asks for it already."""
        request_made = request_of(caller(request), body)
        await send(parts, request_made)
        return latest_request(parts, request_made)

    @app.post(
        "/api/v1/requests/preview",
        summary="What a request would ask for",
        **decision_route("dealer", "supervisor"),
    )
    async def preview(body: RequestPreviewBody, request: Request) -> Preview:
        """What it would do once it is granted, and the `token` that the request has to carry."""
        return preview_of(parts, request_of(caller(request), body))


def request_of(person: Person, body: RequestBody) -> RequestMade:
    """The request of who is signed in; raises RequestValidationError."""
    fields = body.model_dump(exclude_none=True) | {"who": person.name}
    decision = None if body.about == "help" else _decision(fields)
    return RequestMade(body.about, person.name, person.role, body.why, decision)


def latest_request(parts: WebContext, request_made: RequestMade) -> RequestView:
    """The request that was just made: nobody has two about the same thing."""
    view = parts.view()
    every = (*reversed(view.requests), *(done.request for done in view.answered))
    return next(
        one for one in every if one.about == request_made.about and same_name(one.who, request_made.who)
    )


def _decision(fields: supervisor_commands.Fields) -> Supervisor:
    """As a supervisor would say it."""
    choice = {"choice": fields["about"], **{name: fields[name] for name in fields if name != "about"}}
    return replace(parsed(supervisor_commands.read_choice, choice), signed_in=True)
