"""The page on which people see their own account and change their password or PIN."""

from fastapi import FastAPI
from fastapi.responses import HTMLResponse

from controller.access.people import ROLES
from controller.monitor.authorization import Actor, for_roles
from controller.monitor.live.renderer import templates
from controller.monitor.navigation import ACCOUNT
from controller.monitor.sign_in.place import Place
from controller.monitor.sign_in.session import own_session


def add(app: FastAPI, place: Place) -> None:

    @app.get(ACCOUNT, include_in_schema=False, **for_roles(*ROLES))
    async def account(session: Actor) -> HTMLResponse:
        return HTMLResponse(await _rendered(place, session.token))


async def _rendered(place: Place, token: str) -> str:
    session = await own_session(place, token)
    return (
        templates()
        .get_template("account.html")
        .render(
            table=place.name(),
            person=session.person,
            ways=place.links(session.person),
            here=ACCOUNT,
            session=session,
            limits=place.session_limits[session.person.role],
            place=place,
        )
    )
