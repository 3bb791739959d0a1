"""The page on which people see their own account and change their password or PIN."""

from fastapi import APIRouter
from fastapi.responses import HTMLResponse

from controller.access.people import ROLES
from controller.monitor.authorization import Actor, for_roles
from controller.monitor.live.renderer import templates
from controller.monitor.navigation import ACCOUNT
from controller.monitor.sign_in.place import ThisPlace
from controller.monitor.sign_in.session import own_session

router = APIRouter()


@router.get(ACCOUNT, include_in_schema=False, **for_roles(*ROLES))
async def account(place: ThisPlace, caller: Actor) -> HTMLResponse:
    session = await own_session(place, caller.token)
    return HTMLResponse(
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
