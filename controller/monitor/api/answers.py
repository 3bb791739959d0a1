"""Requests are granted, declined and withdrawn."""

from fastapi import FastAPI, Request

from controller.monitor.api.sending import Number, Perhaps, Token, Told, foresee, say, serves
from controller.monitor.authorization import caller
from controller.monitor.context import Parts
from controller.table.record.events import Answered
from controller.table.record.preview import Preview
from controller.table.record.views import RequestView, TableView


class Answer(Told):
    """`token`: that of the preview. A call for help needs none."""

    grant: bool
    why: Perhaps = ""
    token: Token = ""


def add(app: FastAPI, parts: Parts) -> None:
    """Adds answers, and what they would do."""

    @app.get(
        "/api/v1/requests/{number}/preview",
        summary="What a request would do",
        **serves("dealer", "supervisor", "auditor"),
    )
    async def preview(number: Number, request: Request, grant: bool = True) -> Preview:
        """What granting it would do, or declining it (`grant=false`), and the `token` that the answer has to
        carry. 409 says who has answered it, or that there is none such."""
        person = caller(request)
        return foresee(parts, Answered(number, grant, person.name, person.role))

    @app.post(
        "/api/v1/requests/{number}/answer",
        summary="Grant a request, or decline it",
        **serves("dealer", "supervisor"),
    )
    async def answer(number: Number, told: Answer, request: Request) -> RequestView:
        """A supervisor grants or declines what others ask for; who asked withdraws it. Of two who answer at
        once one is told (409) who the other was."""
        person = caller(request)
        await say(parts, Answered(number, told.grant, person.name, person.role, told.why, told.token))
        return named(parts.view(), number)


def named(view: TableView, number: int) -> RequestView:
    """A request as it is now, open or answered."""
    every = (*view.requests, *(done.request for done in view.answered))
    return next(one for one in every if one.number == number)
