"""The table's web server: the live page, its JSON, metrics. Everything is read only."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from fastapi import FastAPI
from fastapi.responses import HTMLResponse, Response, StreamingResponse
from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, generate_latest
from starlette.staticfiles import StaticFiles

from controller.monitor import significant, slips, stream
from controller.monitor.changes import Changes
from controller.monitor.headers import SecurityHeaders
from controller.monitor.pages import PAGES, Page
from controller.monitor.painter import Painter
from controller.table.view import TableView

STATIC = Path(__file__).parent / "static"

View = Callable[[], TableView]


@dataclass(frozen=True, slots=True)
class Health:
    """Whether the table plays. An answer at all says that the daemon's loop runs."""

    status: Literal["ok", "suspended"]
    suspended: tuple[str, ...]
    """Why, each in a sentence."""
    devices: dict[str, str]
    """State by device."""


def build(view: View, registry: CollectorRegistry, changes: Changes, journal: Path | None = None) -> FastAPI:
    """The application. `view` is called in the event loop's thread, only to answer somebody; without a
    `journal` nothing that is past can be asked for."""
    app = FastAPI(
        title="Tableside",
        summary="One casino table as anyone may see it",
        docs_url=None,
        redoc_url=None,  # both would load scripts from the internet
        openapi_url="/api/v1/openapi.json",
        telemetry={
            "tracing": False, "metrics": False, "logs": False, "operation_spans": False,
            "auto_configure": False,  # nothing in the environment makes a table send reports anywhere
        },
    )  # fmt: skip
    app.add_middleware(SecurityHeaders)
    app.mount("/static", StaticFiles(directory=STATIC))
    for page in PAGES:
        _add_page(app, page, view, changes)
    _add_answers(app, view)
    _add_metrics(app, registry)
    if journal:
        significant.add(app, journal)
        slips.add(app, journal)
    return app


def _add_page(app: FastAPI, page: Page, view: View, changes: Changes) -> None:
    painter = Painter(page)

    @app.get(page.path, include_in_schema=False)
    async def whole() -> HTMLResponse:
        return HTMLResponse(painter.whole(view()))

    @app.get(page.events, include_in_schema=False)
    async def events() -> StreamingResponse:
        return StreamingResponse(stream.events(view, painter, changes), media_type=stream.MEDIA_TYPE)


def _add_answers(app: FastAPI, view: View) -> None:
    @app.get("/api/v1/table", summary="The table as it is now")
    async def table() -> TableView:
        """What the page shows. Cards are two characters ("Ts"), "??" one face down; money is in cents."""
        return view()

    @app.get("/health", summary="Whether the table plays")
    async def health() -> Health:
        """Status 200 also while play is suspended: the daemon works, the table waits for somebody."""
        seen = view()
        states = {device.name: device.state for device in seen.devices}
        return Health("suspended" if seen.suspended else "ok", seen.suspended, states)


def _add_metrics(app: FastAPI, registry: CollectorRegistry) -> None:
    @app.get("/metrics", include_in_schema=False)
    async def metrics() -> Response:
        return Response(generate_latest(registry), headers={"Content-Type": CONTENT_TYPE_LATEST})
