"""Who may ask for what: every route says it, and serves nobody else."""

from typing import Annotated, Any, Final, Literal, Protocol

from fastapi import Depends, HTTPException, Request

from controller.access.people import ROLES, Person, Role

ANYONE: Final = "anyone"
ROLES_KEY = "x-roles"
"""Where a route says it in the OpenAPI document."""


class Authentication(Protocol):
    """Who stands there."""

    def person(self, request: Request, /) -> Person | None:
        """Who asks, if they have proved who they are. Raises HTTPException 403 for a request that may not be
        theirs, though it comes from their browser."""

    def is_still_signed_in(self, request: Request, /) -> bool:
        """Whether whoever came in with this request may still be here: a stream lasts long."""


class NoAuthentication:
    """A door that nobody comes through."""

    def person(self, _request: Request, /) -> None:
        """Nobody."""

    def is_still_signed_in(self, _request: Request, /) -> bool:
        """Nobody came."""
        return False


NO_AUTHENTICATION: Final = NoAuthentication()


def for_roles(*roles: Role | Literal["anyone"]) -> dict[str, Any]:
    """The keywords that say whom a route serves; a handler asks `caller` who it is."""
    if ANYONE in roles:
        return {"openapi_extra": {ROLES_KEY: [ANYONE]}}
    return {
        "openapi_extra": {ROLES_KEY: list(roles)},
        "dependencies": [Depends(_require(frozenset(roles)))],
        "responses": {401: {"description": "Nobody is signed in"}, 403: {"description": "Not for this role"}},
    }


def for_watchers(*, watching: bool) -> dict[str, Any]:
    """`only`, for what anyone may watch, unless the configuration says that they must sign in."""
    return for_roles(ANYONE) if watching else for_roles(*ROLES)


def caller(request: Request) -> Person:
    """Who asks, on a route that is not for anyone."""
    person: Person = request.state.person
    return person


async def _caller(request: Request) -> Person:
    return caller(request)


Caller = Annotated[Person, Depends(_caller)]
"""For the parameter of a route that is not for anyone."""


def _require(roles: frozenset[str]) -> Any:
    async def check(request: Request) -> None:
        authentication: Authentication = request.app.state.authentication
        person = authentication.person(request)
        if person is None:
            raise HTTPException(401, "sign in first")
        if person.role not in roles:
            raise HTTPException(403, f"{person.name} is {person.role}; allowed: {', '.join(sorted(roles))}")
        request.state.person = person

    return check
