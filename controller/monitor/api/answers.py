"""Granting, declining and withdrawing requests."""

from typing import Annotated

from fastapi import APIRouter, Query

from controller.monitor.api.sending import (
    ConfirmedBody,
    Number,
    act,
    decision_route,
    fields_of,
    preview_of,
    request_view,
)
from controller.monitor.authorization import Actor
from controller.monitor.context import Context
from controller.socket.messages import AnswerBody
from controller.table.record.preview import Preview
from controller.table.record.views import RequestView

router = APIRouter()
Grant = Annotated[bool, Query(description="Whether the request would be granted, or else declined")]


class ConfirmedAnswerBody(AnswerBody, ConfirmedBody):
    """`token`: that of the preview. A call for help needs none."""


@router.get(
    "/api/v1/requests/{number}/preview",
    summary="Preview the answer to a request",
    **decision_route("dealer", "supervisor", "auditor"),
)
async def preview(number: Number, session: Actor, context: Context, grant: Grant = True) -> Preview:
    """What granting the request would do, or declining it (`grant=false`), and the `token` that the answer
    must carry. 409: there is no such request, or somebody has answered it already."""
    return await preview_of(context, session, {"answer": {"request": number, "grant": grant}})


@router.post(
    "/api/v1/requests/{number}/answer",
    summary="Grant or decline a request",
    **decision_route("dealer", "supervisor", confirmed=True),
)
async def answer(number: Number, body: ConfirmedAnswerBody, session: Actor, context: Context) -> RequestView:
    """A supervisor grants or declines the requests of others; a person declines their own request to
    withdraw it. 409: somebody else has answered first."""
    before = request_view(context.view(), number)
    await act(context, session, {"answer": fields_of(body, request=number)}, body.confirm)
    return await context.shown(
        lambda view: found if (found := request_view(view, number)) != before else None
    )
