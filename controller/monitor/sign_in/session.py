"""Signing in and out over HTTP."""

from dataclasses import dataclass
from typing import Any

from fastapi import APIRouter, HTTPException, Request, Response

from controller.access.people import ROLES, Role
from controller.monitor.api.sending import REFUSAL_RESPONSES, Problem
from controller.monitor.authorization import ANYONE, Actor, for_roles, with_responses
from controller.monitor.sign_in import cookies
from controller.monitor.sign_in.authentication import FORGED, is_same_origin, usable_token
from controller.monitor.sign_in.place import Place, ThisPlace
from controller.socket.messages import PasswordBody, SignInBody
from controller.socket.results import SessionView, SignedIn

PATH = "/api/v1/session"
SIGN_IN_RESPONSES: dict[int, dict[str, Any]] = {
    400: {"model": Problem, "description": "The body is not JSON"},
    401: {"model": Problem, "description": "Name and secret do not go together"},
    403: {"model": Problem, "description": "The request was not made by a page of this table"},
    423: {"model": Problem, "description": "Locked after too many failures; Retry-After says for how long"},
    429: {"model": Problem, "description": "Too many attempts from this address"},
    503: {"model": Problem, "description": "Nobody can sign in here"},
}
SIGNED_IN_ROUTE = for_roles(*ROLES)
PASSWORD_RESPONSES = {status: SIGN_IN_RESPONSES[status] for status in (423, 429)} | REFUSAL_RESPONSES
router = APIRouter()


@dataclass(frozen=True, slots=True)
class SignedInPerson:
    """Who is signed in. `until`: the end of it in any case, in Unix time; `home`: their first page;
    `failures`: how often somebody failed to sign in as this person since they last signed in."""

    name: str
    role: Role
    until: float
    home: str
    failures: int


@router.post(PATH, summary="Sign in", **with_responses(for_roles(ANYONE), SIGN_IN_RESPONSES))
async def sign_in(place: ThisPlace, body: SignInBody, request: Request, response: Response) -> SignedInPerson:
    """Gives two cookies. What is said with POST or DELETE afterwards needs the header X-CSRF-Token with
    the value of the second one."""
    address, people = cookies.client_address(request), place.people
    if not is_same_origin(request):
        await people.forged(None, address, f"{request.method} {request.url.path}")
        raise HTTPException(403, FORGED)
    signed_in = await people.sign_in(
        body.kind, body.name, body.secret, address, at_table=cookies.is_local(request)
    )
    if previous := usable_token(request):
        await people.sign_out(previous, address)  # the previous person at this screen
    cookies.set_cookies(response, signed_in.token, signed_in.csrf, tls=place.tls)
    if signed_in.language or cookies.LANGUAGE in request.cookies:
        cookies.set_language(response, signed_in.language, tls=place.tls)
    return _signed_in_person(place, signed_in)


@router.get(PATH, summary="Who is signed in", **SIGNED_IN_ROUTE)
async def who(place: ThisPlace, session: Actor) -> SignedInPerson:
    """Only the caller is shown."""
    own = await own_session(place, session.token)
    return _signed_in_person(place, own)


@router.delete(PATH, status_code=204, summary="Sign out", **SIGNED_IN_ROUTE)
async def sign_out(place: ThisPlace, session: Actor, request: Request, response: Response) -> None:
    """A dealer who signs out deals no more, within a second."""
    await place.people.sign_out(session.token, cookies.client_address(request))
    cookies.delete_cookies(response, tls=place.tls)


@router.post(
    f"{PATH}/password",
    status_code=204,
    summary="A new password or PIN of one's own",
    **with_responses(SIGNED_IN_ROUTE, PASSWORD_RESPONSES),
)
async def password(
    place: ThisPlace, body: PasswordBody, session: Actor, request: Request, response: Response
) -> None:
    """It signs the person out. 409: the old one is not right, or the new one not good enough."""
    await place.people.set_secret(session.token, body.old, body.new, cookies.client_address(request))
    cookies.delete_cookies(response, tls=place.tls)


async def own_session(place: Place, token: str) -> SessionView:
    """The caller's session. Raises HTTPException 401 if it is over."""
    session = await place.people.session(token, active=False)
    if session is None:
        raise HTTPException(401, "sign in first")
    return session


def _signed_in_person(place: Place, found: SignedIn | SessionView) -> SignedInPerson:
    person = found.person
    return SignedInPerson(person.name, person.role, found.until, place.home(person), found.failures)
