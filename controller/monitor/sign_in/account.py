"""The page on which people see their own account and change their password or PIN."""

from fastapi import FastAPI, Request
from fastapi.responses import HTMLResponse

from controller.access.people import ROLES
from controller.monitor.authorization import for_roles
from controller.monitor.context import WebContext
from controller.monitor.live.renderer import templates
from controller.monitor.navigation import ACCOUNT, links_for
from controller.monitor.sign_in.session import access_desk, own_session


def add(app: FastAPI, parts: WebContext) -> None:

    @app.get(ACCOUNT, include_in_schema=False, **for_roles(*ROLES))
    async def account(request: Request) -> HTMLResponse:
        return HTMLResponse(_rendered(parts, request))


def _rendered(parts: WebContext, request: Request) -> str:
    session = own_session(parts, request)
    return (
        templates()
        .get_template("account.html")
        .render(
            table=parts.view().table,
            person=session.person,
            ways=links_for(session.person),
            here=ACCOUNT,
            session=session,
            account=access_desk(parts).accounts.get(session.person.name),
        )
    )
