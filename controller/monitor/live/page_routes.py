"""A page of panels, and the stream of those that change: each is drawn for whoever asks."""

from functools import lru_cache
from typing import Any

from fastapi import FastAPI, Request
from fastapi.responses import HTMLResponse, StreamingResponse

from controller.access.people import Person
from controller.monitor.authorization import caller
from controller.monitor.context import Parts
from controller.monitor.live import stream
from controller.monitor.live.pages import Page
from controller.monitor.live.renderer import Painter

MOST_PEOPLE = 16
"""People whose panels are kept as they were drawn."""


def add(app: FastAPI, parts: Parts, page: Page, guard: dict[str, Any]) -> None:
    """Adds the page and its events; `guard` says whom they serve, as `gate.only` does."""
    painter = lru_cache(MOST_PEOPLE)(lambda person: Painter(page, person))

    @app.get(page.path, include_in_schema=False, **guard)
    async def whole(request: Request) -> HTMLResponse:
        return HTMLResponse(painter(_drawn_for(request, page)).whole(parts.view()))

    @app.get(page.events, include_in_schema=False, **guard)
    async def events(request: Request) -> StreamingResponse:
        told = stream.events(
            parts.view,
            painter(_drawn_for(request, page)),
            parts.changes,
            ages=page.ages,
            spacing=page.spacing,
        )
        return stream.response(request, told)


def _drawn_for(request: Request, page: Page) -> Person | None:
    """Who asks; None where that makes no difference."""
    return caller(request) if page.personal else None
