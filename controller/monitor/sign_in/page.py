"""The page to sign in on, and what somebody sees who asks for a page that is not theirs."""

from contextlib import suppress
from ipaddress import ip_address
from typing import Annotated
from urllib.parse import quote

from fastapi import FastAPI, HTTPException, Query, Request
from fastapi.exception_handlers import http_exception_handler
from fastapi.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.exceptions import HTTPException as AnyHTTPException

from controller.access.errors import Unusable
from controller.access.people import ROLES
from controller.monitor.authorization import ANYONE, caller, only
from controller.monitor.context import Parts
from controller.monitor.live.renderer import templates
from controller.monitor.navigation import home
from controller.monitor.sign_in.cookies import address, token

PATH, HOME = "/sign-in", "/home"
"""The second one leads everybody to their own first page."""
TOLD = {403, 404, 503}
"""What a page says in its own words; anything else is for programs."""
HTML = "text/html"
"""What a browser asks for that opens a page."""


def add(app: FastAPI, parts: Parts) -> None:
    """Adds the page; a page that needs somebody to be signed in leads to it."""

    @app.get(PATH, include_in_schema=False, **only(ANYONE))
    async def sign_in(request: Request, wanted: Annotated[str, Query(alias="next")] = "") -> HTMLResponse:
        return HTMLResponse(_drawn(parts, request, wanted))

    @app.get(HOME, include_in_schema=False, **only(*ROLES))
    async def go_home(request: Request) -> RedirectResponse:
        return RedirectResponse(home(caller(request)), 303)

    async def refused(request: Request, error: Exception) -> Response:
        if not isinstance(error, HTTPException | AnyHTTPException):
            raise error
        if request.method != "GET" or HTML not in request.headers.get("accept", ""):
            return await http_exception_handler(request, error)
        if error.status_code == 401:
            return RedirectResponse(f"{PATH}?next={_asked(request)}", 303)
        if error.status_code in TOLD:
            with suppress(AnyHTTPException):  # a table that halts draws no page
                return HTMLResponse(_refused(parts, error), error.status_code)
        return await http_exception_handler(request, error)

    app.add_exception_handler(AnyHTTPException, refused)
    app.add_exception_handler(Unusable, _unusable)


async def _unusable(_request: Request, _error: Exception) -> Response:
    """Which file it is, is told to those who work at the table already, not to whoever stands at the door."""
    return JSONResponse({"detail": "the accounts cannot be used now: look at the alerts"}, 503)


def _asked(request: Request) -> str:
    """The page with its query, as a value in another one's."""
    return quote(f"{request.url.path}?{request.url.query}".removesuffix("?"), safe="/")


def _refused(parts: Parts, error: AnyHTTPException) -> str:
    return templates().get_template("refused.html").render(
        table=parts.view().table, person=None, ways=(), here="", status=error.status_code, why=error.detail
    )  # fmt: skip


def _drawn(parts: Parts, request: Request, wanted: str) -> str:
    """Dealers are offered by name on the table's own screen only: nobody else is told who works here."""
    try:
        closed, accounts = parts.closed(), parts.access.accounts.all() if parts.access else []
        ended = _has_ended(parts, token(request))
    except Unusable as fault:
        closed, accounts, ended = fault.why, [], False
    dealers = [account.name for account in accounts if account.role == "dealer" and not account.locked]
    return templates().get_template("sign-in.html").render(
        table=parts.view().table, person=None, ways=(), here=PATH, anybody=bool(accounts),
        dealers=dealers if _is_here(request) else [], wanted=wanted if _is_ours(wanted) else "",
        ended=ended, closed=closed,
    )  # fmt: skip


def _has_ended(parts: Parts, shown: str) -> bool:
    """Whether whoever shows this token was signed in, and is not any more without having signed out."""
    return bool(shown and parts.access and not parts.access.sessions.of(shown, heard=False))


def _is_here(request: Request) -> bool:
    came = address(request)
    try:
        return ip_address(came).is_loopback
    except ValueError:
        return False


def _is_ours(path: str) -> bool:
    """Whether it is a page of this table, and leads nowhere else."""
    return (
        path.startswith("/") and not path.startswith(("//", "/\\")) and path.isascii() and path.isprintable()
    )
