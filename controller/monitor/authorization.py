"""Authorization: each route declares the roles that it serves, and refuses everyone else."""

from typing import Annotated, Any, Final, Literal, Protocol

from fastapi import Depends, HTTPException, Request

from controller.access.people import ROLES, Person, Role

ANYONE: Final = "anyone"
ROLES_KEY = "x-roles"
"""The key of a route's roles in the OpenAPI document."""


class Authentication(Protocol):
    """Identifies the person who sends a request."""

    async def person(self, request: Request, /) -> Person | None:
        """The signed-in person; None if nobody is signed in. Raises HTTPException 403 for a request that a
        page of another server may have made the person's browser send."""

    async def is_still_signed_in(self, request: Request, /) -> bool:
        """Whether the session of this request is still valid. Long streams check this again and again."""


class NoAuthentication:
    """An `Authentication` by which nobody is signed in."""

    async def person(self, _request: Request, /) -> None:
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


def for_watchers(*, watching: bool) -> dict[str, Any]:
    """As `for_roles`: for anyone if `watching`, as the configuration says, else for every role."""
    return for_roles(ANYONE) if watching else for_roles(*ROLES)


def caller(request: Request) -> Person:
    """The signed-in person, on a route with roles."""
    person: Person = request.state.person
    return person


async def _caller(request: Request) -> Person:
    return caller(request)


Caller = Annotated[Person, Depends(_caller)]
"""The type of a parameter that receives the caller, on a route with roles."""


def _require(roles: frozenset[str]) -> Any:
    async def check(request: Request) -> None:
        authentication: Authentication = request.app.state.authentication
        person = await authentication.person(request)
        if person is None:
            raise HTTPException(401, "sign in first")
        if person.role not in roles:
            raise HTTPException(403, f"{person.name} is {person.role}; allowed: {', '.join(sorted(roles))}")
        request.state.person = person

    return check
