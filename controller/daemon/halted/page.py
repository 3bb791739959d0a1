"""The web application of a halted table. It answers health and API requests with JSON and other requests with
one page, all with status 503; metrics, the event stream and static files have status 200."""

from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from functools import cache

from jinja2 import Environment
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from controller.daemon.halted.cause import HaltCause
from controller.games.spots import spot_title
from controller.monitor.live import formatting
from controller.monitor.live.renderer import TEMPLATES
from controller.monitor.live.stream import MEDIA_TYPE, RETRY_MS, message
from controller.monitor.server.headers import SecurityHeaders
from controller.monitor.web import STATIC
from controller.past.last_meters import LastMeter
from controller.telemetry.prometheus.exposition import CONTENT_TYPE
from controller.text.templating import template_environment

UNAVAILABLE = 503


@dataclass(frozen=True, slots=True)
class HaltedTable:
    """All that the page shows: the table, since when it is halted, the cause, and its jackpots.

    `since` and `again` are in Unix time. At `again` the table restarts by itself; None if a person has to
    restart it.
    """

    table: str
    game: str
    version: str
    since: float
    cause: HaltCause
    meters: tuple[LastMeter, ...]
    again: float | None = None


def application(halted: HaltedTable, metrics_text: str) -> Starlette:
    html = render(halted)
    status = {"status": "halted", **asdict(halted)}

    async def page(_request: Request) -> Response:
        return HTMLResponse(html, UNAVAILABLE)

    async def answer(_request: Request) -> Response:
        return JSONResponse(status, UNAVAILABLE)

    async def events(_request: Request) -> Response:
        """Make browsers that follow the table reload the page when their event stream reconnects."""
        return Response(f"retry: {RETRY_MS}\n\n" + message("halted", "1"), media_type=MEDIA_TYPE)

    async def metrics(_request: Request) -> Response:
        return Response(metrics_text, media_type=CONTENT_TYPE)

    routes = [
        Mount("/static", StaticFiles(directory=STATIC)),
        Route("/health", answer),
        Route("/metrics", metrics),
        Route("/events", events),
        Route("/api/{path:path}", answer),
        Route("/{path:path}", page),
    ]
    return Starlette(routes=routes, middleware=[Middleware(SecurityHeaders)])


def render(halted: HaltedTable) -> str:
    return _environment().get_template("halted.html").render(asdict(halted))


def format_time(at: float) -> str:
    """A Unix time as text in UTC, or a phrase if it is out of range."""
    try:
        return datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%d %H:%M:%S UTC")
    except (ValueError, OverflowError, OSError):
        return "at no time that could be"


@cache
def _environment() -> Environment:
    environment_ = template_environment(TEMPLATES)
    environment_.filters.update(amount=formatting.amount_text, moment=format_time, spot_title=spot_title)
    return environment_
