"""The sign-in page, and the pages for refused requests."""

from contextlib import suppress
from typing import Annotated
from urllib.parse import quote

from fastapi import APIRouter, FastAPI, HTTPException, Query, Request
from fastapi.exception_handlers import http_exception_handler
from fastapi.responses import HTMLResponse, RedirectResponse, Response
from starlette.exceptions import HTTPException as AnyHTTPException

from controller.access.people import ROLES
from controller.languages import translate
from controller.monitor.authorization import ANYONE, caller, for_roles
from controller.monitor.live.renderer import templates
from controller.monitor.sign_in.authentication import usable_token
from controller.monitor.sign_in.cookies import is_local
from controller.monitor.sign_in.place import Place, ThisPlace

PATH = "/sign-in"
HOME = "/home"
"""The sign-in page, and a path that redirects each person to their own first page."""
PAGE_STATUSES = {403, 404, 503}
"""Error statuses that a browser gets as a page. Other errors are answered with JSON."""
HTML = "text/html"
"""The media type that a browser accepts when it opens a page."""
router = APIRouter()


@router.get(PATH, include_in_schema=False, **for_roles(ANYONE))
async def sign_in(
    place: ThisPlace, request: Request, next_path: Annotated[str, Query(alias="next")] = ""
) -> HTMLResponse:
    return HTMLResponse(await _sign_in_page(place, request, next_path))


@router.get(HOME, include_in_schema=False, **for_roles(*ROLES))
async def go_home(place: ThisPlace, request: Request) -> RedirectResponse:
    return RedirectResponse(place.home(caller(request)), 303)


def add_refusals(app: FastAPI) -> None:
    """Answers browsers with pages, and redirects them to the sign-in page if a page requires sign-in."""
    app.add_exception_handler(AnyHTTPException, _refusal)


async def _refusal(request: Request, error: Exception) -> Response:
    if not isinstance(error, HTTPException | AnyHTTPException):
        raise error
    if request.method != "GET" or HTML not in request.headers.get("accept", ""):
        return await http_exception_handler(request, _translated(error))
    if error.status_code == 401:
        return RedirectResponse(f"{PATH}?next={_next_path(request)}", 303)
    if error.status_code in PAGE_STATUSES:
        with suppress(AnyHTTPException):  # a halting table cannot render a page
            return HTMLResponse(_refusal_page(request.app.state.place, error), error.status_code)
    return await http_exception_handler(request, _translated(error))


def _translated(error: AnyHTTPException) -> AnyHTTPException:
    """The error with its sentence in the language of the request."""
    return AnyHTTPException(error.status_code, translate(error.detail), error.headers)


def _next_path(request: Request) -> str:
    """The requested path with its query, quoted as the value of a query parameter."""
    return quote(f"{request.url.path}?{request.url.query}".removesuffix("?"), safe="/")


def _refusal_page(place: Place, error: AnyHTTPException) -> str:
    return (
        templates()
        .get_template("refused.html")
        .render(
            table=place.name(),
            person=None,
            ways=(),
            here="",
            status=error.status_code,
            why=error.detail,
        )
    )


async def _sign_in_page(place: Place, request: Request, next_path: str) -> str:
    """The page lists the dealers by name only on the table's own screen, so that strangers do not learn who
    works here."""
    roster = await place.people.roster()
    ended = not roster.fault and await _session_has_ended(place, request)
    return (
        templates()
        .get_template("sign-in.html")
        .render(
            table=place.name(),
            person=None,
            ways=(),
            here=PATH,
            anybody=roster.any,
            dealers=roster.dealers if is_local(request) else (),
            wanted=next_path if is_own_path(next_path) else "",
            ended=ended,
            closed=roster.fault,
            place=place,
        )
    )


async def _session_has_ended(place: Place, request: Request) -> bool:
    """Whether the browser still has the cookie of a session that is over. Signing out deletes the cookie."""
    token = usable_token(request)
    return bool(token) and await place.people.session(token, active=False) is None


def is_own_path(path: str) -> bool:
    """Whether the path stays on this server. This prevents a redirect to another site."""
    return (
        path.startswith("/") and not path.startswith(("//", "/\\")) and path.isascii() and path.isprintable()
    )
