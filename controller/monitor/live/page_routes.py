"""The routes of a page: the document, and the stream of the panels that change."""

from functools import lru_cache, partial
from typing import Any

from fastapi import FastAPI, Request
from fastapi.responses import HTMLResponse, StreamingResponse

from controller.access.people import Person
from controller.languages import Language, language_in_use
from controller.monitor.authorization import caller
from controller.monitor.context import WebContext
from controller.monitor.live import stream
from controller.monitor.live.pages import Page
from controller.monitor.live.renderer import PageRenderer

MOST_RENDERERS = 16
"""People and languages for which rendered panels are cached."""


def add(app: FastAPI, context: WebContext, page: Page, guard: dict[str, Any]) -> None:
    """Adds the page and its stream. `guard`: the roles that they serve, as `for_roles` returns them."""
    painter = lru_cache(MOST_RENDERERS)(partial(PageRenderer, page))

    @app.get(page.path, include_in_schema=False, **guard)
    async def whole(request: Request) -> HTMLResponse:
        return HTMLResponse(painter(*_viewer(request, page)).document(context.view()))

    @app.get(page.events, include_in_schema=False, **guard)
    async def events(request: Request) -> StreamingResponse:
        events_text = stream.events(
            context.view,
            painter(*_viewer(request, page)),
            context.changes,
            lambda: context.house().style_address,
            ages=page.time_dependent,
            spacing=page.spacing,
        )
        return stream.response(request, events_text)


def _viewer(request: Request, page: Page) -> tuple[Person | None, Language]:
    """The caller, None if the page is the same for everyone; and their language."""
    return caller(request) if page.per_person else None, language_in_use()
