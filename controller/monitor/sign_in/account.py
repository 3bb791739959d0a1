"""Everybody's page about themselves: who they are here, and a new password or PIN."""

from fastapi import FastAPI, Request
from fastapi.responses import HTMLResponse

from controller.access.people import ROLES
from controller.monitor.authorization import only
from controller.monitor.context import Parts
from controller.monitor.live.renderer import templates
from controller.monitor.navigation import ACCOUNT, ways
from controller.monitor.sign_in.session import desk, own


def add(app: FastAPI, parts: Parts) -> None:
    """Adds the page."""

    @app.get(ACCOUNT, include_in_schema=False, **only(*ROLES))
    async def account(request: Request) -> HTMLResponse:
        return HTMLResponse(_drawn(parts, request))


def _drawn(parts: Parts, request: Request) -> str:
    session = own(parts, request)
    return templates().get_template("account.html").render(
        table=parts.view().table, person=session.person, ways=ways(session.person), here=ACCOUNT,
        session=session, account=desk(parts).accounts.named(session.person.name),
    )  # fmt: skip
