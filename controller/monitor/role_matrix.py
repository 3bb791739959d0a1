"""The roles that each route serves: `python -m controller.monitor.role_matrix > docs/roles.md`."""

import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from fastapi import FastAPI
from fastapi.routing import APIRoute
from prometheus_client import CollectorRegistry
from starlette.routing import BaseRoute, Mount

from controller.access.people import ROLES
from controller.monitor.authorization import ANYONE, ROLES_KEY
from controller.monitor.context import WebContext
from controller.monitor.live.changes import ChangeNotifier
from controller.monitor.web import build
from controller.table.record.views import TableView

MOUNT_ROLES = {"/static": ANYONE}
"""Folders of files, which say nothing themselves: without them there is no page to sign in on."""
HEAD = """# Routes and roles

Which role gets an answer from which route; everybody else gets 401 (nobody is signed in; a page leads to
[the page to sign in on](access.md#signing-in) instead) or 403 (another role). With
[`web.watching`](configuration.md#web) the live page, its events and the table as JSON are for anyone, too.

`make pages` writes this page from the application; a test asks every route as every role and compares.

"""


@dataclass(frozen=True, slots=True)
class RouteRoles:
    """A route and whom it serves: roles, or anyone."""

    method: str
    path: str
    roles: frozenset[str]

    def serves(self, role: str) -> bool:
        """Whether somebody with this role gets an answer; empty: nobody is signed in."""
        return ANYONE in self.roles or role in self.roles


class RolesMissing(Exception):
    """A route does not say whom it serves."""


def matrix(app: FastAPI) -> tuple[RouteRoles, ...]:
    """Every route by path and method; raises Unstated."""
    found = (served for route in app.routes for served in _route_roles(route))
    return tuple(sorted(found, key=lambda served: (served.path, served.method)))


def role_page(rows: Iterable[RouteRoles]) -> str:
    """The matrix as a page of the documentation."""
    cells = ("method", "path", "nobody", *ROLES)
    lines = ["| " + " | ".join(cells) + " |", "|" + "---|" * len(cells)]
    return HEAD + "\n".join([*lines, *map(_line, rows)]) + "\n"


def _line(served: RouteRoles) -> str:
    marks = ("yes" if served.serves(role) else "" for role in ("", *ROLES))
    return f"| {served.method} | `{served.path}` | {' | '.join(marks)} |"


def _route_roles(route: BaseRoute) -> Iterator[RouteRoles]:
    if isinstance(route, Mount) and route.path in MOUNT_ROLES:
        yield RouteRoles("GET", f"{route.path}/", frozenset({MOUNT_ROLES[route.path]}))
        return
    stated = (route.openapi_extra or {}).get(ROLES_KEY) if isinstance(route, APIRoute) else None
    if not (isinstance(route, APIRoute) and stated):
        raise RolesMissing(f"route {getattr(route, 'path', route)} does not say whom it serves")
    for method in sorted(route.methods or ()):
        yield RouteRoles(method, route.path, frozenset(stated))


def _no_view() -> TableView:
    raise LookupError("no table is behind these routes")


if __name__ == "__main__":
    sys.stdout.write(
        role_page(matrix(build(WebContext(_no_view, CollectorRegistry(), ChangeNotifier(), public=False))))
    )
