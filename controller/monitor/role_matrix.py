"""The roles that each route serves: `python -m controller.monitor.role_matrix > docs/roles.md`."""

import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from fastapi import FastAPI
from fastapi.routing import APIRoute
from prometheus_client import CollectorRegistry
from starlette.routing import BaseRoute, Mount

from controller.access.people import ROLES
from controller.monitor.authorization import ANYONE, STATED
from controller.monitor.context import Parts
from controller.monitor.live.changes import Changes
from controller.monitor.web import build
from controller.table.record.views import TableView

MOUNTED = {"/static": ANYONE}
"""Folders of files, which say nothing themselves: without them there is no page to sign in on."""
HEAD = """# Routes and roles

Which role gets an answer from which route; everybody else gets 401 (nobody is signed in; a page leads to
[the page to sign in on](access.md#signing-in) instead) or 403 (another role). With
[`web.watching`](configuration.md#web) the live page, its events and the table as JSON are for anyone, too.

`make pages` writes this page from the application; a test asks every route as every role and compares.

"""


@dataclass(frozen=True, slots=True)
class Served:
    """A route and whom it serves: roles, or anyone."""

    method: str
    path: str
    roles: frozenset[str]

    def serves(self, role: str) -> bool:
        """Whether somebody with this role gets an answer; empty: nobody is signed in."""
        return ANYONE in self.roles or role in self.roles


class Unstated(Exception):
    """A route does not say whom it serves."""


def matrix(app: FastAPI) -> tuple[Served, ...]:
    """Every route by path and method; raises Unstated."""
    found = (served for route in app.routes for served in _served(route))
    return tuple(sorted(found, key=lambda served: (served.path, served.method)))


def page(rows: Iterable[Served]) -> str:
    """The matrix as a page of the documentation."""
    cells = ("method", "path", "nobody", *ROLES)
    lines = ["| " + " | ".join(cells) + " |", "|" + "---|" * len(cells)]
    return HEAD + "\n".join([*lines, *map(_line, rows)]) + "\n"


def _line(served: Served) -> str:
    marks = ("yes" if served.serves(role) else "" for role in ("", *ROLES))
    return f"| {served.method} | `{served.path}` | {' | '.join(marks)} |"


def _served(route: BaseRoute) -> Iterator[Served]:
    if isinstance(route, Mount) and route.path in MOUNTED:
        yield Served("GET", f"{route.path}/", frozenset({MOUNTED[route.path]}))
        return
    stated = (route.openapi_extra or {}).get(STATED) if isinstance(route, APIRoute) else None
    if not (isinstance(route, APIRoute) and stated):
        raise Unstated(f"route {getattr(route, 'path', route)} does not say whom it serves")
    for method in sorted(route.methods or ()):
        yield Served(method, route.path, frozenset(stated))


def _nothing() -> TableView:
    raise LookupError("no table is behind these routes")


if __name__ == "__main__":
    sys.stdout.write(page(matrix(build(Parts(_nothing, CollectorRegistry(), Changes(), watching=False)))))
