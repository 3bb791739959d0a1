"""Rounds of all tables over HTTP, answered by worker processes."""

import json
import time
from dataclasses import replace
from typing import Annotated, Final

from fastapi import APIRouter, HTTPException, Path, Request, Response

from controller.floor.pages.context import REPORTS, ROUNDS, Context, FloorContext, TableName, links_for
from controller.floor.past.settings import SETTINGS
from controller.monitor.authorization import caller, for_readers, for_roles
from controller.monitor.past.asking import http_response
from controller.monitor.past.messages import PageFrame, TableFacts, WorkerQuestion
from controller.monitor.past.report_routes import PeriodName
from controller.monitor.past.routes import MOST_SEATS, Number, shift_began
from controller.property.subjects import EPOCH_LENGTH

READERS: Final = for_roles("supervisor", "auditor")
API_READERS: Final = for_readers("supervisor", "auditor")
OF_TABLE: Final = "/floor/tables/{table}/journals/{epoch}"
router = APIRouter()
REPORT_FRAME: Final = PageFrame("", REPORTS)
EpochName = Annotated[
    str, Path(pattern=f"^[0-9a-f]{{{EPOCH_LENGTH}}}$", description="The name of the table's journal")
]


@router.get(REPORTS, include_in_schema=False, **READERS)
async def days(context: Context, request: Request) -> Response:
    return await _page(context, request, "report days page", REPORT_FRAME)


@router.get(f"{REPORTS}/{{period}}.csv", include_in_schema=False, **READERS)
async def report_sheet(context: Context, request: Request, period: str) -> Response:
    fields = {**request.query_params, "period": period}
    answer = await _answer(context, "report sheet", fields)
    named = f"{period.replace(':', '')}-{fields.get('sheet', 'tables')}.csv"
    answer.headers["Content-Disposition"] = f'attachment; filename="{named}"'
    return answer


@router.get(f"{REPORTS}/{{period}}", include_in_schema=False, **READERS)
async def report_page(context: Context, request: Request, period: str) -> Response:
    fields = {**request.query_params, "period": period}
    return await _page(context, request, "report page", REPORT_FRAME, fields)


@router.get("/floor/tables/{table}/reports/{period}", include_in_schema=False, **READERS)
async def table_page(context: Context, request: Request, table: TableName, period: str) -> Response:
    fields = {"table": table, "period": period}
    return await _page(context, request, "table report page", REPORT_FRAME, fields, table)


@router.get("/api/v1/floor/reports/{period}", summary="A gaming day or a shift of all tables", **API_READERS)
async def report(context: Context, request: Request, period: PeriodName) -> Response:
    """A day as 2026-11-20, a shift as 2026-11-20T14:00; `pit` or `table` for some of the tables. Money in
    minor units of the currency of each line, times in seconds of Unix time."""
    return await _answer(context, "report", {**request.query_params, "period": period})


@router.get(ROUNDS, include_in_schema=False, **READERS)
async def rounds_page(context: Context, request: Request) -> Response:
    return await _page(context, request, "rounds page", PageFrame("", ROUNDS), facts=_facts(context))


@router.get(f"{OF_TABLE}/rounds/{{number}}", include_in_schema=False, **READERS)
async def round_page(
    context: Context, request: Request, table: TableName, epoch: EpochName, number: Number
) -> Response:
    return await _round_page(context, request, "round page", table, epoch, number)


@router.get(f"{OF_TABLE}/rounds/{{number}}/replay", include_in_schema=False, **READERS)
async def replay_page(
    context: Context, request: Request, table: TableName, epoch: EpochName, number: Number
) -> Response:
    return await _round_page(context, request, "replay page", table, epoch, number)


@router.get("/api/v1/floor/rounds", summary="Ended rounds of all tables: newest first", **API_READERS)
async def rounds(context: Context, request: Request) -> Response:
    """A round must match every parameter: those of a table's own search, `table`, `pit`, `period`, `act`
    and `game`. `over` is in minor units; `above`, an amount, is in the currency of each table, or in the
    one that it names. `before`: what the answer before gave. 422 names what is not allowed."""
    return await _answer(context, "rounds", dict(request.query_params))


@router.get(f"{ROUNDS}.csv", include_in_schema=False, **READERS)
async def rounds_sheet(context: Context, request: Request) -> Response:
    answer = await _answer(context, "rounds sheet", dict(request.query_params))
    answer.headers["Content-Disposition"] = 'attachment; filename="rounds.csv"'
    return answer


@router.get(f"/api/v1{OF_TABLE}/rounds/{{number}}", summary="One ended round of a table", **API_READERS)
async def one(context: Context, table: TableName, epoch: EpochName, number: Number) -> Response:
    """As the table's own API gives it. 404: the floor does not have it."""
    return await _answer(context, "round", _round_fields(table, epoch, number))


@router.get(
    f"/api/v1{OF_TABLE}/rounds/{{number}}/steps", summary="One ended round, step by step", **API_READERS
)
async def steps(context: Context, table: TableName, epoch: EpochName, number: Number) -> Response:
    """As the table's own API gives it. 404: the floor does not have it."""
    return await _answer(context, "steps", _round_fields(table, epoch, number))


async def _round_page(
    context: FloorContext, request: Request, what: str, table: str, epoch: str, number: int
) -> Response:
    frame = PageFrame(OF_TABLE.format(table=table, epoch=epoch), ROUNDS, of=table)
    return await _page(context, request, what, frame, _round_fields(table, epoch, number), table)


async def _page(
    context: FloorContext,
    request: Request,
    what: str,
    frame: PageFrame,
    fields: dict[str, str] | None = None,
    table: str = "",
    facts: TableFacts | None = None,
) -> Response:
    """A page about this table, with times in its zone; or about all, with times in that of the floor."""
    person = caller(request)
    framed = replace(frame, links=links_for(person))
    asked = _with_settings(context, fields or dict(request.query_params), table)
    question = WorkerQuestion(what, "", asked, context.place.name(), person, framed, facts=facts)
    return http_response(await context.worker(question))


def _facts(context: FloorContext) -> TableFacts | None:
    return TableFacts(MOST_SEATS, shift_began(context.past.calendar, time.time())) if context.past else None


async def _answer(context: FloorContext, what: str, fields: dict[str, str]) -> Response:
    """Raises HTTPException with the reason of a failure."""
    reply = await context.worker(WorkerQuestion(what, "", _with_settings(context, fields)))
    if reply.status != 200:
        raise HTTPException(reply.status, json.loads(reply.body)["detail"])
    return http_response(reply)


def _round_fields(table: str, epoch: str, number: int) -> dict[str, str]:
    return {"table": table, "epoch": epoch, "number": str(number)}


def _with_settings(context: FloorContext, fields: dict[str, str], table: str = "") -> dict[str, str]:
    """Raises HTTPException 503 where nothing is stored."""
    if context.past is None:
        raise HTTPException(503, "the floor stores nothing here")
    tile = context.view.tile(table)
    zone = tile.time_zone if tile and tile.zone else ""
    return {**fields, SETTINGS: replace(context.past, table_zone=zone).encode()}
