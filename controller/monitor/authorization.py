"""Authorization: each route declares the roles that it serves, and refuses everyone else."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Final, Literal, Protocol

from fastapi import Depends, HTTPException, Request

from controller.access.people import ROLES, Person, Role

ANYONE: Final = "anyone"
ROLES_KEY = "x-roles"
"""The key of a route's roles in the OpenAPI document."""
ONLY_READS: Final = "a token reads the API and nothing else: this needs a person who signs in"
TOKENS_KEY: Final = "x-tokens"
"""The key that says there whether other systems may read it with a token."""
CHALLENGE: Final = {"WWW-Authenticate": 'Bearer realm="api", error="invalid_token"'}
"""The header of an answer to a token that must not be used."""


@dataclass(frozen=True, slots=True)
class WebSession:
    """The person who sends a request, and the token of their session at the table's core. `reads_only`:
    another system, which sends a token for the API; it has no session at the core."""

    person: Person
    token: str
    reads_only: bool = False


class Authentication(Protocol):
    """Identifies the person who sends a request."""

    async def session(self, request: Request, /) -> WebSession | None:
        """The sender's session; None if nobody is signed in. Raises HTTPException 403 for a request that a
        page of another server may have made the person's browser send, and 401 for a token that must not be
        used."""

    async def is_still_signed_in(self, request: Request, /) -> bool:
        """Whether the session of this request is still valid, or its token. Long streams check this again and
        again."""


class NoAuthentication:
    """An `Authentication` by which nobody is signed in."""

    async def session(self, _request: Request, /) -> None:
        """Always None."""

    async def is_still_signed_in(self, _request: Request, /) -> bool:
        return False


NO_AUTHENTICATION: Final = NoAuthentication()


def for_roles(*roles: Role | Literal["anyone"]) -> dict[str, Any]:
    """Keyword arguments for the decorator of a route that serves these roles. Its handler gets the person
    from `caller`."""
    if ANYONE in roles:
        return {"openapi_extra": {ROLES_KEY: [ANYONE]}}
    return {
        "openapi_extra": {ROLES_KEY: list(roles)},
        "dependencies": [Depends(_require(frozenset(roles)))],
        "responses": {401: {"description": "Nobody is signed in"}, 403: {"description": "Not for this role"}},
    }


def for_readers(*roles: Role | Literal["anyone"]) -> dict[str, Any]:
    """As `for_roles`, and for other systems that send a token as `Authorization: Bearer`. For routes of
    the API that read, and need no session at the table's core."""
    guarded = for_roles(*roles)
    served = frozenset() if ANYONE in roles else frozenset(roles)
    extra = guarded["openapi_extra"] | {TOKENS_KEY: True}
    return guarded | {"openapi_extra": extra, "dependencies": [Depends(_require(served, tokens=True))]}


def for_watchers(*, watching: bool) -> dict[str, Any]:
    """As `for_roles`: for anyone if `watching`, as the configuration says, else for every role."""
    return for_roles(ANYONE) if watching else for_roles(*ROLES)


def for_watching_readers(*, watching: bool) -> dict[str, Any]:
    """As `for_watchers`, and for other systems that send a token."""
    return for_readers(ANYONE) if watching else for_readers(*ROLES)


def with_responses(route: Mapping[str, Any], *responses: Mapping[int, Mapping[str, Any]]) -> dict[str, Any]:
    """The keyword arguments of a route, as `for_roles` returns them, with further responses by status."""
    merged = dict(route.get("responses", {}))
    for more in responses:
        merged.update(more)
    return {**route, "responses": merged}


def bearer_token(request: Request) -> str:
    """The token that a program sends (RFC 6750); empty without one."""
    scheme, _, sent = request.headers.get("authorization", "").partition(" ")
    return sent.strip() if scheme.lower() == "bearer" else ""


def caller(request: Request) -> Person:
    """The signed-in person, on a route with roles."""
    return session_of(request).person


def session_of(request: Request) -> WebSession:
    """The session of the caller, on a route with roles."""
    session: WebSession = request.state.session
    return session


async def _session(request: Request) -> WebSession:
    return session_of(request)


Actor = Annotated[WebSession, Depends(_session)]
"""The type of a parameter that receives the caller's session, on a route with roles."""


def _require(roles: frozenset[str], *, tokens: bool = False) -> Any:
    """A dependency that lets these roles pass; anyone if there are none. `tokens`: other systems, too."""

    async def check(request: Request) -> None:
        authentication: Authentication = request.app.state.authentication
        if not roles and not bearer_token(request):
            return
        session = await authentication.session(request)
        if session is None:
            raise HTTPException(401, "sign in first")
        if session.reads_only and not tokens:
            raise HTTPException(403, ONLY_READS)
        person = session.person
        if roles and person.role not in roles:
            raise HTTPException(403, f"{person.name} is {person.role}; allowed: {', '.join(sorted(roles))}")
        request.state.session = session

    return check
