"""Signing in and out over HTTP."""

from dataclasses import dataclass
from typing import Annotated, Any

from fastapi import FastAPI, HTTPException, Request, Response
from pydantic import Field

from controller.access.desk import AccessDesk
from controller.access.errors import AccessError, LockedOut, TooOften, Unknown
from controller.access.people import ROLES, Kind, Person, Role
from controller.access.secrets import MOST_SECRET
from controller.access.sessions import Session
from controller.monitor.api.sending import REFUSALS, Problem, Told, say
from controller.monitor.authorization import ANYONE, caller, only
from controller.monitor.context import Parts
from controller.monitor.navigation import home
from controller.monitor.sign_in import cookies
from controller.monitor.sign_in.authentication import from_here
from controller.table.record.events import DealerOn

Secret = Annotated[str, Field(min_length=1, max_length=MOST_SECRET, repr=False)]
PATH = "/api/v1/session"
CLOSED = "nobody can sign in here"
NOT_LET_IN: dict[int | str, dict[str, Any]] = {
    400: {"model": Problem, "description": "The body is no JSON"},
    401: {"model": Problem, "description": "Name and secret do not go together"},
    403: {"model": Problem, "description": "The request was not made by a page of this table"},
    423: {"model": Problem, "description": "Locked after too many failures; Retry-After says for how long"},
    429: {"model": Problem, "description": "Too many attempts from this address"},
    503: {"model": Problem, "description": "Nobody can sign in here"},
}


class SigningIn(Told):
    """Who, and how they prove it. A badge needs no name."""

    kind: Kind
    name: Annotated[str, Field(max_length=MOST_SECRET)] = ""
    secret: Secret


class NewPassword(Told):
    """The one that there is, and the one that is to be."""

    old: Secret
    new: Secret


@dataclass(frozen=True, slots=True)
class Me:
    """Who is signed in. `until`: the end of it in any case, in Unix time; `home`: their first page."""

    name: str
    role: Role
    until: float
    home: str


def add(app: FastAPI, parts: Parts) -> None:
    """Adds the routes."""

    @app.post(PATH, summary="Sign in", responses=NOT_LET_IN, **only(ANYONE))
    async def sign_in(told: SigningIn, request: Request, response: Response) -> Me:
        """Gives two cookies. What is said with POST or DELETE afterwards needs the header X-CSRF-Token with
        the value of the second one."""
        access, address = desk(parts), cookies.address(request)
        if not from_here(request):
            access.forged(None, address, f"{request.method} {request.url.path}")
            raise HTTPException(403, "this request was not made by a page of this table")
        token, session = await _let_in(access, told, address)
        access.sessions.end(cookies.token(request), address)  # somebody else's, at the same screen
        cookies.give(response, token, session.csrf, tls=parts.tls)
        if session.person.role == "dealer" and parts.desk:
            await say(parts, DealerOn(session.person.name))
        return _me(session)

    @app.get(PATH, summary="Who is signed in", **only(*ROLES))
    async def who(request: Request) -> Me:
        """Nobody else than who asks."""
        return _me(own(parts, request))

    @app.delete(PATH, status_code=204, summary="Sign out", **only(*ROLES))
    async def sign_out(request: Request, response: Response) -> None:
        """A dealer who signs out deals no more, within a second."""
        desk(parts).sessions.end(cookies.token(request), cookies.address(request))
        cookies.take(response, tls=parts.tls)

    _add_password(app, parts)


def desk(parts: Parts) -> AccessDesk:
    """Raises HTTPException 503 where nobody can sign in."""
    if parts.access is None:
        why = parts.closed()
        raise HTTPException(503, f"nobody can sign in: the accounts cannot be used: {why}" if why else CLOSED)
    return parts.access


def own(parts: Parts, request: Request) -> Session:
    """Whoever asks: their session. Raises HTTPException 401 for one that is over."""
    session = desk(parts).sessions.of(cookies.token(request), heard=False)
    if session is None:
        raise HTTPException(401, "sign in first")
    return session


def _add_password(app: FastAPI, parts: Parts) -> None:
    guarded = only(*ROLES)
    refusals = guarded["responses"] | {status: NOT_LET_IN[status] for status in (423, 429)} | REFUSALS

    @app.post(f"{PATH}/password", status_code=204, summary="A new password or PIN of one's own",
              **guarded | {"responses": refusals})  # fmt: skip
    async def password(told: NewPassword, request: Request, response: Response) -> None:
        """Whoever changes it is signed out. 409: the old one is not right, or the new one not good enough."""
        person: Person = caller(request)
        try:
            await desk(parts).new_secret(person, told.old, told.new, cookies.address(request))
        except (LockedOut, TooOften) as refused:
            raise _answer(refused) from None
        except AccessError as error:
            raise HTTPException(409, str(error)) from None
        cookies.take(response, tls=parts.tls)


async def _let_in(access: AccessDesk, told: SigningIn, address: str) -> tuple[str, Session]:
    try:
        return await access.sign_in(told.kind, told.name, told.secret, address)
    except (Unknown, LockedOut, TooOften) as refused:
        raise _answer(refused) from None


def _answer(refused: Unknown | LockedOut | TooOften) -> HTTPException:
    if isinstance(refused, Unknown):
        return HTTPException(401, str(refused))
    status = 423 if isinstance(refused, LockedOut) else 429
    return HTTPException(status, str(refused), {"Retry-After": str(refused.seconds)})


def _me(session: Session) -> Me:
    return Me(session.person.name, session.person.role, session.until, home(session.person))
