"""Requests are granted, declined and withdrawn."""

from fastapi import FastAPI, Request

from controller.monitor.api.sending import (
    Number,
    OptionalReason,
    RequestModel,
    Token,
    decision_route,
    preview_of,
    send,
)
from controller.monitor.authorization import caller
from controller.monitor.context import WebContext
from controller.table.record.events import RequestAnswered
from controller.table.record.preview import Preview
from controller.table.record.views import RequestView, TableView


class AnswerBody(RequestModel):
    """`token`: that of the preview. A call for help needs none."""

    grant: bool
    why: OptionalReason = ""
    token: Token = ""


def add(app: FastAPI, parts: WebContext) -> None:
    """Adds answers, and what they would do."""

    @app.get(
        "/api/v1/requests/{number}/preview",
        summary="What a request would do",
        **decision_route("dealer", "supervisor", "auditor"),
    )
    async def preview(number: Number, request: Request, grant: bool = True) -> Preview:
        """What granting it would do, or declining it (`grant=false`), and the `token` that the answer has to
        carry. 409 says who has answered it, or that there is none such."""
        person = caller(request)
        return preview_of(parts, RequestAnswered(number, grant, person.name, person.role))

    @app.post(
        "/api/v1/requests/{number}/answer",
        summary="Grant a request, or decline it",
        **decision_route("dealer", "supervisor"),
    )
    async def answer(number: Number, body: AnswerBody, request: Request) -> RequestView:
        """A supervisor grants or declines what others ask for; who asked withdraws it. Of two who answer at
        once one is told (409) who the other was."""
        person = caller(request)
        await send(parts, RequestAnswered(number, body.grant, person.name, person.role, body.why, body.token))
        return request_view(parts.view(), number)


def request_view(view: TableView, number: int) -> RequestView:
    """A request as it is now, open or answered."""
    every = (*view.requests, *(done.request for done in view.answered))
    return next(one for one in every if one.number == number)
