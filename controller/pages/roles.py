"""The roles that each route of the server serves, read from the application."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from fastapi import FastAPI
from fastapi.routing import APIRoute
from starlette.routing import BaseRoute, Mount

from controller.access.people import ROLES
from controller.monitor.authorization import ANYONE, ROLES_KEY, TOKENS_KEY
from controller.monitor.context import WebContext
from controller.monitor.house import PATH as HOUSE
from controller.monitor.live.changes import ChangeNotifier
from controller.monitor.web import build
from controller.pages.markdown import table
from controller.socket.client import CoreClient
from controller.table.record.views import TableView

MOUNT_ROLES = {"/static": ANYONE, HOUSE: ANYONE}
"""Mounted applications have no roles of their own. The sign-in page needs these."""


@dataclass(frozen=True, slots=True)
class RouteRoles:
    method: str
    path: str
    roles: frozenset[str]
    tokens: bool = False
    """Whether other systems may read it with a token."""

    def serves(self, role: str) -> bool:
        """Whether a person with this role gets an answer; an empty role means that nobody is signed in."""
        return ANYONE in self.roles or role in self.roles


class RolesMissing(Exception):
    """A route does not state its roles."""


def matrix(app: FastAPI) -> tuple[RouteRoles, ...]:
    """Every route, ordered by path and method; raises RolesMissing."""
    found = (route_roles for route in app.routes for route_roles in _route_roles(route))
    return tuple(sorted(found, key=lambda served: (served.path, served.method)))


def role_table(routes: Iterable[RouteRoles]) -> str:
    return table(("method", "path", "nobody", *ROLES, "token"), map(_cells, routes))


def application_roles() -> str:
    """The table of the application that `tableside table web` serves."""
    return role_table(matrix(application()))


def application() -> FastAPI:
    """The application without a table behind it."""
    return build(WebContext(CoreClient(Path("no core")), _no_view, ChangeNotifier(), public=False))


def _cells(served: RouteRoles) -> tuple[str, ...]:
    marks = ("yes" if served.serves(role) else "" for role in ("", *ROLES))
    return served.method, f"`{served.path}`", *marks, "yes" if served.tokens else ""


def _route_roles(route: BaseRoute) -> Iterator[RouteRoles]:
    if isinstance(route, Mount) and route.path in MOUNT_ROLES:
        yield RouteRoles("GET", f"{route.path}/", frozenset({MOUNT_ROLES[route.path]}))
        return
    stated = (route.openapi_extra or {}).get(ROLES_KEY) if isinstance(route, APIRoute) else None
    if not (isinstance(route, APIRoute) and stated):
        raise RolesMissing(f"route {getattr(route, 'path', route)} does not say whom it serves")
    for method in sorted(route.methods or ()):
        yield RouteRoles(method, route.path, frozenset(stated), TOKENS_KEY in (route.openapi_extra or {}))


def _no_view() -> TableView:
    raise LookupError("no table is behind these routes")
