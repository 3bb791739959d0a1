"""The web application of the simulator's page. It exists only in a demonstration; the table's own web server
does not have its routes."""

from collections.abc import AsyncGenerator
from contextlib import aclosing
from pathlib import Path
from typing import Final

from fastapi import Depends, FastAPI, HTTPException, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import HTMLResponse, JSONResponse, StreamingResponse
from pydantic import TypeAdapter

from controller.demo.simulator.acts import Act
from controller.demo.simulator.document import document
from controller.demo.simulator.errors import NotDone
from controller.demo.simulator.hands import carry_out
from controller.demo.simulator.picture import Picture, picture
from controller.demo.simulator.table import SimulatedTable
from controller.languages import translate
from controller.monitor.api.invalid import invalid_body
from controller.monitor.bare_app import add_routes, bare_app
from controller.monitor.house import NO_HOUSE, House, house_files
from controller.monitor.house import PATH as HOUSE
from controller.monitor.live import language_routes, stream
from controller.monitor.live.changes import ChangeNotifier
from controller.monitor.paths import STATIC
from controller.monitor.server.headers import SecurityHeaders
from controller.monitor.server.language import RequestLanguage
from controller.monitor.server.request_limits import RequestLimits
from controller.monitor.server.static_files import PageFiles
from controller.monitor.sign_in.authentication import is_same_origin

PAGE: Final = "/simulator"
OWN_STATIC: Final = Path(__file__).parent / "static"
SPACING: Final = 0.03
"""Seconds between two changes of the page: hands are quick."""


def build(
    table: SimulatedTable, changes: ChangeNotifier, title: str, table_url: str, house: House = NO_HOUSE
) -> FastAPI:
    """The application for one table. `title`: the table's name; `table_url`: the first page of its own web
    server; `house`: its branding."""
    app = bare_app("Tableside simulator", "The devices of a demonstration")
    app.add_middleware(RequestLimits, names=(), steady=None)
    app.add_middleware(SecurityHeaders)
    app.add_middleware(RequestLanguage)
    app.mount("/static/simulator", PageFiles(directory=OWN_STATIC))
    app.mount("/static", PageFiles(directory=STATIC))
    app.mount(HOUSE, house_files(lambda: house))
    app.add_exception_handler(RequestValidationError, invalid_body)
    app.add_exception_handler(NotDone, _not_done)
    add_routes(app, language_routes.texts_router)
    adapter = TypeAdapter(Picture)

    @app.get(PAGE)
    async def page() -> HTMLResponse:
        return HTMLResponse(document(table.layout, title, table_url))

    @app.get(f"{PAGE}/events")
    async def events(request: Request) -> StreamingResponse:
        return stream.response(request, _events(table, changes, adapter))

    @app.post(f"{PAGE}/acts", status_code=204, dependencies=[Depends(_check_origin)])
    async def act(body: Act) -> None:
        await carry_out(table, body)

    return app


async def _events(
    table: SimulatedTable, changes: ChangeNotifier, adapter: TypeAdapter[Picture]
) -> AsyncGenerator[str]:
    """`picture` at once and after each change, and a beat each time."""
    yield f"retry: {stream.RETRY_MS}\n\n"
    async with aclosing(changes.follow(SPACING)) as following:
        async for fresh in following:
            news = stream.message("picture", adapter.dump_json(picture(table)).decode()) if fresh else ""
            yield news + stream.message(stream.BEAT, stream.RELEASE)


async def _check_origin(request: Request) -> None:
    """No page of another server moves chips here."""
    if not is_same_origin(request):
        raise HTTPException(403, "the request comes from a page of another server")


async def _not_done(_request: Request, error: Exception) -> JSONResponse:
    if not isinstance(error, NotDone):
        raise error
    return JSONResponse({"detail": translate(str(error))}, error.status)
