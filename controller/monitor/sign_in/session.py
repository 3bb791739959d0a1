"""Signing in and out over HTTP."""

from dataclasses import dataclass
from typing import Any

from fastapi import FastAPI, HTTPException, Request, Response

from controller.access.desk import AccessDesk
from controller.access.errors import AccessError, AccountsUnusable, LockedOut, TooOften, WrongSecret
from controller.access.people import ROLES, Person, Role
from controller.access.sessions import Session
from controller.monitor.api.sending import REFUSAL_RESPONSES, Problem, send
from controller.monitor.authorization import ANYONE, caller, for_roles
from controller.monitor.context import WebContext
from controller.monitor.navigation import home_path
from controller.monitor.sign_in import cookies
from controller.monitor.sign_in.authentication import is_same_origin
from controller.socket.messages import PasswordBody, SignInBody
from controller.table.record.events import DealerOn

PATH = "/api/v1/session"
NO_ACCOUNTS = "nobody can sign in here"
SIGN_IN_RESPONSES: dict[int | str, dict[str, Any]] = {
    400: {"model": Problem, "description": "The body is no JSON"},
    401: {"model": Problem, "description": "Name and secret do not go together"},
    403: {"model": Problem, "description": "The request was not made by a page of this table"},
    423: {"model": Problem, "description": "Locked after too many failures; Retry-After says for how long"},
    429: {"model": Problem, "description": "Too many attempts from this address"},
    503: {"model": Problem, "description": "Nobody can sign in here"},
}


@dataclass(frozen=True, slots=True)
class SignedInPerson:
    """Who is signed in. `until`: the end of it in any case, in Unix time; `home`: their first page;
    `failures`: how often somebody failed to sign in as this person since they last signed in."""

    name: str
    role: Role
    until: float
    home: str
    failures: int


def add(app: FastAPI, parts: WebContext) -> None:

    @app.post(PATH, summary="Sign in", responses=SIGN_IN_RESPONSES, **for_roles(ANYONE))
    async def sign_in(body: SignInBody, request: Request, response: Response) -> SignedInPerson:
        """Gives two cookies. What is said with POST or DELETE afterwards needs the header X-CSRF-Token with
        the value of the second one."""
        access, address = access_desk(parts), cookies.client_address(request)
        if not is_same_origin(request):
            access.report_forged(None, address, f"{request.method} {request.url.path}")
            raise HTTPException(403, "this request was not made by a page of this table")
        token, session = await _sign_in(access, body, address)
        access.sessions.end(cookies.session_token(request), address)  # the previous person at this screen
        cookies.set_cookies(response, token, session.csrf, tls=parts.tls)
        if session.person.role == "dealer" and parts.decisions:
            await send(parts, DealerOn(session.person.name))
        return _signed_in_person(session)

    @app.get(PATH, summary="Who is signed in", **for_roles(*ROLES))
    async def who(request: Request) -> SignedInPerson:
        """Nobody else than who asks."""
        return _signed_in_person(own_session(parts, request))

    @app.delete(PATH, status_code=204, summary="Sign out", **for_roles(*ROLES))
    async def sign_out(request: Request, response: Response) -> None:
        """A dealer who signs out deals no more, within a second."""
        access_desk(parts).sessions.end(cookies.session_token(request), cookies.client_address(request))
        cookies.delete_cookies(response, tls=parts.tls)

    _add_password(app, parts)


def access_desk(parts: WebContext) -> AccessDesk:
    """The desk. Raises HTTPException 503 if nobody can sign in."""
    if parts.access is None:
        why = parts.accounts_fault()
        raise HTTPException(
            503, f"nobody can sign in: the accounts cannot be used: {why}" if why else NO_ACCOUNTS
        )
    return parts.access


def own_session(parts: WebContext, request: Request) -> Session:
    """The caller's session. Raises HTTPException 401 if it is over, 503 if nobody can sign in."""
    session = access_desk(parts).sessions.find(cookies.session_token(request), active=False)
    if session is None:
        raise HTTPException(401, "sign in first")
    return session


def _add_password(app: FastAPI, parts: WebContext) -> None:
    guarded = for_roles(*ROLES)
    refusals = (
        guarded["responses"]
        | {status: SIGN_IN_RESPONSES[status] for status in (423, 429)}
        | REFUSAL_RESPONSES
    )

    @app.post(
        f"{PATH}/password",
        status_code=204,
        summary="A new password or PIN of one's own",
        **guarded | {"responses": refusals},
    )
    async def password(body: PasswordBody, request: Request, response: Response) -> None:
        """Whoever changes it is signed out. 409: the old one is not right, or the new one not good enough."""
        person: Person = caller(request)
        try:
            await access_desk(parts).new_secret(person, body.old, body.new, cookies.client_address(request))
        except (LockedOut, TooOften) as refused:
            raise _http_error(refused) from None
        except AccountsUnusable:
            raise
        except AccessError as error:
            raise HTTPException(409, str(error)) from None
        cookies.delete_cookies(response, tls=parts.tls)


async def _sign_in(access: AccessDesk, body: SignInBody, address: str) -> tuple[str, Session]:
    try:
        return await access.sign_in(body.kind, body.name, body.secret, address)
    except (WrongSecret, LockedOut, TooOften) as refused:
        raise _http_error(refused) from None


def _http_error(refused: WrongSecret | LockedOut | TooOften) -> HTTPException:
    if isinstance(refused, WrongSecret):
        return HTTPException(401, str(refused))
    status = 423 if isinstance(refused, LockedOut) else 429
    return HTTPException(status, str(refused), {"Retry-After": str(refused.seconds)})


def _signed_in_person(session: Session) -> SignedInPerson:
    person = session.person
    return SignedInPerson(person.name, person.role, session.until, home_path(person), session.failures)
