"""The routes of the floor's pages."""

from functools import cache
from typing import Annotated, Final

from fastapi import APIRouter, Depends, HTTPException, Query, Request
from fastapi.responses import HTMLResponse, RedirectResponse, StreamingResponse

from controller.floor.approvals.standing import Standing
from controller.floor.pages.channels import Subject
from controller.floor.pages.context import FLOOR, Context, FloorContext, TableName, links_for
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

SIGNED_IN_ROUTE: Final = for_roles(*FLOOR_ROLES)
API_READERS: Final = for_readers(*FLOOR_ROLES)
router = APIRouter()
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


@cache
def tile_routes(*, watching: bool) -> APIRouter:
    """The page of all tables and its stream. `watching`: whether anyone may look at them."""
    tiles = APIRouter()
    watchers = for_roles(ANYONE) if watching else SIGNED_IN_ROUTE

    @tiles.get(FLOOR, include_in_schema=False, **watchers)
    async def floor(context: Context, request: Request, choice: Chosen) -> HTMLResponse:
        context.look()
        person = await context.viewer(request)
        reader = Reader(person, links_for(person))
        return HTMLResponse(floor_page(context.view, context.place.name(), reader, choice))

    @tiles.get(f"{FLOOR}/events", include_in_schema=False, **watchers)
    async def floor_events(context: Context, request: Request, choice: Chosen) -> StreamingResponse:
        context.look()
        acknowledges = acknowledging(await context.viewer(request))
        subject = Subject(choice.order, choice.filter, acknowledges, language_in_use())
        return stream.response(request, tile_events(context.channels, context.changes, subject))

    return tiles


@router.get("/", include_in_schema=False, **for_roles(ANYONE))
async def entrance() -> RedirectResponse:
    return RedirectResponse(FLOOR, 303)


@router.get(f"{FLOOR}/tables/{{table}}", include_in_schema=False, **SIGNED_IN_ROUTE)
async def one_table(context: Context, request: Request, table: TableName) -> HTMLResponse:
    context.look()
    person = caller(request)
    reader = Reader(person, links_for(person))
    tile, history = _tile(context, table), _history(context, table)
    standing = context.view.house.standing
    return HTMLResponse(table_page(context.place.name(), tile, reader, history, standing))


@router.get(f"{FLOOR}/tables/{{table}}/events", include_in_schema=False, **SIGNED_IN_ROUTE)
async def table_events(context: Context, request: Request, table: TableName) -> StreamingResponse:
    person = caller(request)
    _tile(context, table)

    def detail() -> str:
        standing = context.view.house.standing
        return detail_html(_tile(context, table), person, _history(context, table), standing)

    return stream.response(request, detail_events(context.changes, detail))


@router.get("/health", summary="Whether the floor's pages are served", **for_roles(ANYONE))
async def health(context: Context) -> dict[str, int]:
    """`tables`: the tables on this floor; `attention`: how many of them need attention."""
    context.look()
    tiles = context.view.all()
    return {"tables": len(tiles), "attention": sum(tile.needs_attention for tile in tiles)}


@router.get(f"{API}/tables", summary="All tables", **API_READERS)
async def tables(context: Context) -> list[Tile]:
    """As the tables stand in their pits. Amounts in cents, times in seconds of Unix time."""
    context.look()
    return list(context.view.all())


@router.get(f"{API}/tables/{{table}}", summary="One table", **API_READERS)
async def table(context: Context, table: TableName) -> Tile:
    """404: there is no such table on this floor."""
    context.look()
    return _tile(context, table)


@router.get(f"{API}/instance", summary="Whether this instance of the floor acts", **API_READERS)
async def instance(context: Context) -> Standing:
    """Commands are given at the one that acts: `page` is its address, if it is known."""
    context.look()
    return context.view.house.standing


@router.get(f"{API}/jackpots", summary="The linked progressives", **API_READERS)
async def jackpots(context: Context) -> list[LinkedJackpot]:
    """As their services announced them last, with their open claims."""
    context.look()
    return list(context.view.house.jackpots)


@router.get(f"{API}/alerts", summary="Alerts about the floor itself", **API_READERS)
async def alerts(context: Context) -> list[TileAlert]:
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
