"""Requests: what one person asks for and others must grant."""

from dataclasses import dataclass

from fastapi import APIRouter

from controller.monitor.api.sending import act, decision_route, fields_of, preview_of, request_view
from controller.monitor.authorization import Actor, for_readers
from controller.monitor.context import Context, WebContext
from controller.socket.messages import RequestBody, RequestPreviewBody
from controller.socket.results import Taken
from controller.table.record.preview import Preview
from controller.table.record.views import AnsweredView, RequestView

router = APIRouter()


@dataclass(frozen=True, slots=True)
class RequestList:
    """Open requests, oldest first; answered ones, newest first."""

    open: tuple[RequestView, ...]
    answered: tuple[AnsweredView, ...]


@router.get(
    "/api/v1/requests", summary="Open and answered requests", **for_readers("dealer", "supervisor", "auditor")
)
async def requests(context: Context) -> RequestList:
    """As the pages show them."""
    view = context.view()
    return RequestList(view.requests, view.answered)


@router.post(
    "/api/v1/requests",
    status_code=201,
    summary="Make a request",
    **decision_route("dealer", "supervisor"),
)
async def ask(body: RequestBody, session: Actor, context: Context) -> RequestView:
    """409: the table could not do this now, or somebody has requested it already."""
    return await made(context, await act(context, session, {"request": fields_of(body)}))


@router.post(
    "/api/v1/requests/preview", summary="Preview a request", **decision_route("dealer", "supervisor")
)
async def preview(body: RequestPreviewBody, session: Actor, context: Context) -> Preview:
    """What the request would do once it is granted, and the `token` that it must carry."""
    return await preview_of(context, session, {"request": fields_of(body)})


async def made(context: WebContext, taken: Taken) -> RequestView:
    """The request that an act has made, once the view has it."""
    return await context.shown(lambda view: request_view(view, taken.request))
