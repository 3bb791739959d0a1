"""Who may ask for what: every route says it, and serves nobody else."""

from typing import Any, Final, Literal, Protocol

from fastapi import Depends, HTTPException, Request

from controller.access.people import ROLES, Person, Role

ANYONE: Final = "anyone"
STATED = "x-roles"
"""Where a route says it in the OpenAPI document."""


class Door(Protocol):
    """Who stands there."""

    def person(self, request: Request, /) -> Person | None:
        """Who asks, if they have proved who they are. Raises HTTPException 403 for a request that may not be
        theirs, though it comes from their browser."""

    def stays(self, request: Request, /) -> bool:
        """Whether whoever came in with this request may still be here: a stream lasts long."""


class Locked:
    """A door that nobody comes through."""

    def person(self, _request: Request, /) -> None:
        """Nobody."""

    def stays(self, _request: Request, /) -> bool:
        """Nobody came."""
        return False


LOCKED: Final = Locked()


def only(*roles: Role | Literal["anyone"]) -> dict[str, Any]:
    """The keywords that say whom a route serves; a handler asks `caller` who it is."""
    if ANYONE in roles:
        return {"openapi_extra": {STATED: [ANYONE]}}
    return {
        "openapi_extra": {STATED: list(roles)},
        "dependencies": [Depends(_admit(frozenset(roles)))],
        "responses": {401: {"description": "Nobody is signed in"}, 403: {"description": "Not for this role"}},
    }


def watchers(*, watching: bool) -> dict[str, Any]:
    """`only`, for what anyone may watch, unless the configuration says that they must sign in."""
    return only(ANYONE) if watching else only(*ROLES)


def caller(request: Request) -> Person:
    """Who asks, on a route that is not for anyone."""
    person: Person = request.state.person
    return person


def _admit(roles: frozenset[str]) -> Any:
    async def admit(request: Request) -> None:
        door: Door = request.app.state.door
        person = door.person(request)
        if person is None:
            raise HTTPException(401, "sign in first")
        if person.role not in roles:
            raise HTTPException(403, f"{person.name} is {person.role}; allowed: {', '.join(sorted(roles))}")
        request.state.person = person

    return admit
