"""Requests: what one person asks for and others must grant."""

from dataclasses import dataclass, replace

from fastapi import APIRouter

from controller.access.people import Person
from controller.monitor.api.sending import decision_route, parsed, preview_of, send
from controller.monitor.authorization import Caller, for_roles
from controller.monitor.context import Context, WebContext
from controller.socket.messages import RequestBody, RequestPreviewBody
from controller.table.people.supervisor_commands import Fields, read_choice
from controller.table.record.events import RequestMade, Supervisor
from controller.table.record.preview import Preview
from controller.table.record.views import AnsweredView, RequestView
from controller.text.characters import same_name

router = APIRouter()


@dataclass(frozen=True, slots=True)
class RequestList:
    """Open requests, oldest first; answered ones, newest first."""

    open: tuple[RequestView, ...]
    answered: tuple[AnsweredView, ...]


@router.get(
    "/api/v1/requests", summary="Open and answered requests", **for_roles("dealer", "supervisor", "auditor")
)
async def requests(context: Context) -> RequestList:
    view = context.view()
    return RequestList(view.requests, view.answered)


@router.post(
    "/api/v1/requests",
    status_code=201,
    summary="Make a request",
    **decision_route("dealer", "supervisor"),
)
async def ask(body: RequestBody, person: Caller, context: Context) -> RequestView:
    """409: the table could not do this now, or somebody has requested it already."""
    request = request_of(person, body)
    await send(context, request)
    return latest_request(context, request)


@router.post(
    "/api/v1/requests/preview", summary="Preview a request", **decision_route("dealer", "supervisor")
)
async def preview(body: RequestPreviewBody, person: Caller, context: Context) -> Preview:
    """What the request would do once it is granted, and the `token` that it must carry."""
    return preview_of(context, request_of(person, body))


def request_of(person: Person, body: RequestBody) -> RequestMade:
    """Raises RequestValidationError."""
    fields = body.model_dump(exclude_none=True) | {"who": person.name}
    decision = None if body.about == "help" else _decision(fields)
    return RequestMade(body.about, person.name, person.role, body.why, decision)


def latest_request(context: WebContext, made: RequestMade) -> RequestView:
    """The request that was just made: nobody has two about the same subject."""
    view = context.view()
    latest_first = (*reversed(view.requests), *(answered.request for answered in view.answered))
    return next(
        request
        for request in latest_first
        if request.about == made.about and same_name(request.who, made.who)
    )


def _decision(fields: Fields) -> Supervisor:
    """The supervisor's decision that would do what the request is about."""
    choice = {"choice": fields["about"], **{name: fields[name] for name in fields if name != "about"}}
    return replace(parsed(read_choice, choice), signed_in=True)
