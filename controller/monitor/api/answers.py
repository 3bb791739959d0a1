"""Granting, declining and withdrawing requests."""

from fastapi import APIRouter

from controller.monitor.api.sending import Number, decision_route, preview_of, send
from controller.monitor.authorization import Caller
from controller.monitor.context import Context
from controller.socket.messages import AnswerBody
from controller.table.record.events import RequestAnswered
from controller.table.record.preview import Preview
from controller.table.record.views import RequestView, TableView

router = APIRouter()


@router.get(
    "/api/v1/requests/{number}/preview",
    summary="Preview the answer to a request",
    **decision_route("dealer", "supervisor", "auditor"),
)
async def preview(number: Number, person: Caller, context: Context, grant: bool = True) -> Preview:
    """What granting the request would do, or declining it (`grant=false`), and the `token` that the answer
    must carry. 409: there is no such request, or somebody has answered it already."""
    return preview_of(context, RequestAnswered(number, grant, person.name, person.role))


@router.post(
    "/api/v1/requests/{number}/answer",
    summary="Grant or decline a request",
    **decision_route("dealer", "supervisor"),
)
async def answer(number: Number, body: AnswerBody, person: Caller, context: Context) -> RequestView:
    """A supervisor grants or declines the requests of others; a person declines their own request to
    withdraw it. 409: somebody else has answered first."""
    answered = RequestAnswered(number, body.grant, person.name, person.role, body.why, body.token)
    await send(context, answered)
    return request_view(context.view(), number)


def request_view(view: TableView, number: int) -> RequestView:
    """The request with this number, open or answered."""
    requests = (*view.requests, *(answered.request for answered in view.answered))
    return next(request for request in requests if request.number == number)
