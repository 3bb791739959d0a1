"""The web application while no table plays. It answers health and API requests with JSON and other requests
with one page, all with status 503; streams and static files have status 200."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import asdict
from datetime import UTC, datetime
from functools import cache

from jinja2 import Environment
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response, StreamingResponse
from starlette.routing import Mount, Route

from controller.currency import Currency, using
from controller.currency.formatting import amount_text
from controller.games.spots import spot_title
from controller.languages.templating import template_environment, translating
from controller.monitor.live.renderer import TEMPLATES
from controller.monitor.live.stream import MEDIA_TYPE, RETRY_MS, message
from controller.monitor.outage.outage import Outage
from controller.monitor.paths import STATIC
from controller.monitor.server.static_files import PageFiles
from controller.telemetry.prometheus.exposition import CONTENT_TYPE

UNAVAILABLE = 503
GRACE = 10.0
"""Seconds for which a page that follows the table waits for an absent daemon before it is replaced. A daemon
that restarts takes less."""


def application(
    outage: Outage, metrics: Callable[[], Awaitable[str]], ended: asyncio.Event | None = None
) -> Starlette:
    """`metrics`: what the core exposes; raises an exception without one. `ended`: set when the outage is
    over."""
    status = {"detail": outage.cause.title, **asdict(outage)}

    async def page(_request: Request) -> Response:
        return HTMLResponse(render(outage), UNAVAILABLE)

    async def answer(_request: Request) -> Response:
        return JSONResponse(status, UNAVAILABLE)

    async def events(_request: Request) -> Response:
        return StreamingResponse(_events(outage, ended), media_type=MEDIA_TYPE)

    async def expose(_request: Request) -> Response:
        return await metrics_response(metrics)

    routes = [
        Mount("/static", PageFiles(directory=STATIC)),
        Route("/health", answer),
        Route("/metrics", expose),
        Route("/events", events),
        Route("/{page}/events", events),
        Route("/api/{path:path}", answer),
        Route("/{path:path}", page),
    ]
    return Starlette(routes=routes)


async def metrics_response(metrics: Callable[[], Awaitable[str]]) -> Response:
    """The metrics; status 503 without a core, so that Prometheus sees the table as down."""
    try:
        return Response(await metrics(), headers={"Content-Type": CONTENT_TYPE})
    except Exception as error:  # noqa: BLE001 - whatever failed, there are no metrics
        return Response(f"# {type(error).__name__}\n", UNAVAILABLE, media_type="text/plain")


async def _events(outage: Outage, ended: asyncio.Event | None) -> AsyncIterator[str]:
    """Make browsers that follow the table reload the page. If the daemon is absent, they first wait for it
    and say "connection lost" meanwhile; a short restart ends the stream, so that they follow again."""
    yield f"retry: {RETRY_MS}\n\n"
    if outage.status == "absent" and ended:
        try:
            async with asyncio.timeout(GRACE):
                await ended.wait()
        except TimeoutError:
            pass
        else:
            return
    yield message("halted", "1")


def render(outage: Outage) -> str:
    with using(Currency(outage.currency, outage.minor_digits)):
        return _environment().get_template("halted.html").render(asdict(outage))


def format_time(at: float) -> str:
    """A Unix time as text in UTC, or a phrase if it is out of range."""
    try:
        return datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%d %H:%M:%S UTC")
    except (ValueError, OverflowError, OSError):
        return "at no time that could be"


@cache
def _environment() -> Environment:
    environment_ = template_environment(TEMPLATES)
    environment_.filters.update(amount=amount_text, moment=format_time, spot_title=translating(spot_title))
    return environment_
