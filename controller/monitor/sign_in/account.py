"""The page on which people see their own account and change their password or PIN."""

from fastapi import FastAPI
from fastapi.responses import HTMLResponse

from controller.access.people import ROLES
from controller.monitor.authorization import Actor, for_roles
from controller.monitor.context import WebContext
from controller.monitor.live.renderer import templates
from controller.monitor.navigation import ACCOUNT, links_for
from controller.monitor.sign_in.session import own_session


def add(app: FastAPI, parts: WebContext) -> None:

    @app.get(ACCOUNT, include_in_schema=False, **for_roles(*ROLES))
    async def account(session: Actor) -> HTMLResponse:
        return HTMLResponse(await _rendered(parts, session.token))


async def _rendered(parts: WebContext, token: str) -> str:
    session = await own_session(parts, token)
    return (
        templates()
        .get_template("account.html")
        .render(
            table=parts.view().table,
            person=session.person,
            ways=links_for(session.person),
            here=ACCOUNT,
            session=session,
            limits=parts.session_limits[session.person.role],
        )
    )
