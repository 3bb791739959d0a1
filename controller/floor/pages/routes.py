"""The routes of the floor's pages."""

from typing import Annotated

from fastapi import Depends, FastAPI, HTTPException, Query, Request
from fastapi.responses import HTMLResponse, RedirectResponse, StreamingResponse

from controller.floor.approvals.standing import Standing
from controller.floor.pages.channels import Subject
from controller.floor.pages.context import FLOOR, FloorContext, TableName, links_for
from controller.floor.pages.forms import API
from controller.floor.pages.people import FLOOR_ROLES
from controller.floor.pages.rendering import (
    Choice,
    Reader,
    TableHistory,
    acknowledging,
    detail_html,
    floor_page,
    table_page,
)
from controller.floor.pages.streams import detail_events, tile_events
from controller.floor.tables.arrangement import Order, TileFilter
from controller.floor.tables.jackpots import LinkedJackpot
from controller.floor.tables.tile import Condition, Tile, TileAlert
from controller.languages import language_in_use
from controller.monitor.authorization import ANYONE, caller, for_readers, for_roles
from controller.monitor.live import stream

Text = Annotated[str | None, Query(max_length=80)]


async def _choice(
    order: Order = "need",
    pit: Text = None,
    game: Text = None,
    condition: Condition | None = None,
    *,
    attention: bool = False,
    wall: bool = False,
) -> Choice:
    return Choice(order, TileFilter(pit, game, condition, attention), wall)


Chosen = Annotated[Choice, Depends(_choice)]


def add(app: FastAPI, context: FloorContext) -> None:
    """Adds the page of all tables, the page of one, and their streams."""
    watchers = for_roles(ANYONE) if context.public else for_roles(*FLOOR_ROLES)

    @app.get("/", include_in_schema=False, **for_roles(ANYONE))
    async def entrance() -> RedirectResponse:
        return RedirectResponse(FLOOR, 303)

    @app.get(FLOOR, include_in_schema=False, **watchers)
    async def floor(request: Request, choice: Chosen) -> HTMLResponse:
        context.look()
        person = await context.viewer(request)
        reader = Reader(person, links_for(person))
        return HTMLResponse(floor_page(context.view, context.place.name(), reader, choice))

    @app.get(f"{FLOOR}/events", include_in_schema=False, **watchers)
    async def floor_events(request: Request, choice: Chosen) -> StreamingResponse:
        context.look()
        acknowledges = acknowledging(await context.viewer(request))
        subject = Subject(choice.order, choice.filter, acknowledges, language_in_use())
        return stream.response(request, tile_events(context.channels, context.changes, subject))

    _add_table(app, context)
    _add_json(app, context)


def _add_table(app: FastAPI, context: FloorContext) -> None:
    guard = for_roles(*FLOOR_ROLES)

    @app.get(f"{FLOOR}/tables/{{table}}", include_in_schema=False, **guard)
    async def one_table(request: Request, table: TableName) -> HTMLResponse:
        context.look()
        person = caller(request)
        reader = Reader(person, links_for(person))
        tile, history = _tile(context, table), _history(context, table)
        standing = context.view.house.standing
        return HTMLResponse(table_page(context.place.name(), tile, reader, history, standing))

    @app.get(f"{FLOOR}/tables/{{table}}/events", include_in_schema=False, **guard)
    async def table_events(request: Request, table: TableName) -> StreamingResponse:
        person = caller(request)
        _tile(context, table)

        def detail() -> str:
            standing = context.view.house.standing
            return detail_html(_tile(context, table), person, _history(context, table), standing)

        return stream.response(request, detail_events(context.changes, detail))


def _add_json(app: FastAPI, context: FloorContext) -> None:
    guard = for_readers(*FLOOR_ROLES)

    @app.get(f"{API}/tables", summary="All tables", **guard)
    async def tables() -> list[Tile]:
        """As the tables stand in their pits. Amounts in cents, times in seconds of Unix time."""
        context.look()
        return list(context.view.all())

    @app.get(f"{API}/tables/{{table}}", summary="One table", **guard)
    async def table(table: TableName) -> Tile:
        """404: there is no such table on this floor."""
        context.look()
        return _tile(context, table)

    @app.get(f"{API}/instance", summary="Whether this instance of the floor acts", **guard)
    async def instance() -> Standing:
        """Commands are given at the one that acts: `page` is its address, if it is known."""
        context.look()
        return context.view.house.standing

    @app.get(f"{API}/jackpots", summary="The linked progressives", **guard)
    async def jackpots() -> list[LinkedJackpot]:
        """As their services announced them last, with their open claims."""
        context.look()
        return list(context.view.house.jackpots)

    @app.get(f"{API}/alerts", summary="Alerts about the floor itself", **guard)
    async def alerts() -> list[TileAlert]:
        """The most severe first, then the oldest. The alerts about a table are with the table."""
        context.look()
        return list(context.view.house.alerts)


def _history(context: FloorContext, table: str) -> TableHistory:
    return TableHistory(context.alerts.trail(table), context.commands.recent(table))


def _tile(context: FloorContext, table: str) -> Tile:
    """Raises HTTPException 404 if there is no such table."""
    tile = context.view.tile(table)
    if tile is None:
        raise HTTPException(404, f"table {table!r}: not on this floor")
    return tile
