"""The routes of reports: the page, the JSON, the sheets."""

import time
from collections.abc import Callable
from functools import partial
from typing import Annotated, Any

from fastapi import FastAPI, HTTPException, Query, Request
from fastapi import Path as Place
from fastapi.responses import HTMLResponse, Response

from controller.calendar import Period, UnknownPeriod
from controller.languages import language_in_use
from controller.monitor.authorization import caller, for_readers, for_roles, with_responses
from controller.monitor.context import WebContext, journal_path
from controller.monitor.live.renderer import templates
from controller.monitor.navigation import links_for
from controller.monitor.past.asking import SHEET
from controller.monitor.past.report_queue import (
    QueueFull,
    ReportQueue,
    ReportWaiting,
    Version,
    make_in_worker,
)
from controller.past.reports.wire import ReportAnswer, ReportOrder

PeriodName = Annotated[
    str, Place(description="A gaming day, as `2026-11-19`, or a shift by its begin, as `2026-11-19T14:00`")
]
SheetName = Annotated[str, Query(max_length=40, description="The name of one of the report's sheets")]
READERS = for_roles("supervisor", "auditor")
API_READERS = for_readers("supervisor", "auditor")
FAILURES: dict[int, dict[str, Any]] = {
    404: {"description": "No such period or sheet"},
    503: {"description": "Too many reports are being made, or the journal cannot be read"},
}
POLL_SECONDS = 1
FRESH_SECONDS = 60


def add(app: FastAPI, context: WebContext) -> None:
    desk = ReportDesk(context, ReportQueue(partial(make_in_worker, context.worker)))
    _add_pages(app, desk)
    _add_answers(app, desk)


class ReportDesk:
    """Answers the requests for reports."""

    def __init__(
        self, context: WebContext, queue: ReportQueue, clock: Callable[[], float] = time.time
    ) -> None:
        self._context, self._queue, self._clock = context, queue, clock

    @property
    def table(self) -> str:
        return self._context.view().table

    @property
    def zone(self) -> str:
        return self._context.report_settings().calendar.zone

    def now(self) -> str:
        """The time by the clock of the house."""
        return self._context.report_settings().calendar.format_time(self._clock())

    def period(self, text: str) -> Period:
        """Raises HTTPException 404."""
        try:
            return self._context.report_settings().calendar.named(text)
        except UnknownPeriod as error:
            raise HTTPException(404, str(error)) from None

    def open(self, period: Period | None) -> None:
        """A person opens a page: an outdated or failed report is made again."""
        self._queue.ask(self._order(period), self._version(period))

    def look(self, period: Period | None) -> ReportAnswer | ReportWaiting:
        """The report, or the list if `period` is None, or its place in the queue. Raises HTTPException
        503."""
        try:
            return self._queue.look(self._order(period), self._version(period))
        except QueueFull as error:
            raise HTTPException(503, str(error)) from None

    async def wait(self, period: Period | None) -> ReportAnswer:
        """The report, or the list if `period` is None. Raises HTTPException 503."""
        try:
            made = await self._queue.wait(self._order(period), self._version(period))
        except QueueFull as error:
            raise HTTPException(503, str(error)) from None
        if made.error:
            raise HTTPException(503, made.error)
        return made

    def _order(self, period: Period | None) -> ReportOrder:
        """In the language of the request."""
        language = language_in_use().code
        return ReportOrder(journal_path(self._context), self._context.report_settings(), period, language)

    def _version(self, period: Period | None) -> Version:
        """A closed period changes when one of its rounds is corrected. The current one also changes with each
        round and each minute, because suspensions and losses go on."""
        view = self._context.view()
        corrected = tuple((each.number, len(each.corrections)) for each in view.rounds if each.corrections)
        now = self._clock()
        closed = period is not None and period.ends <= now
        return (corrected,) if closed else (corrected, view.round, now // FRESH_SECONDS)


def _add_pages(app: FastAPI, desk: ReportDesk) -> None:
    @app.get("/reports", include_in_schema=False, **READERS)
    async def choose(request: Request) -> HTMLResponse:
        return _page(request, desk, None)

    @app.get("/reports/list", include_in_schema=False, **READERS)
    async def periods() -> HTMLResponse:
        return _report_part(desk.look(None), "/reports/list")

    @app.get("/reports/{period}", include_in_schema=False, **READERS)
    async def report(request: Request, period: str) -> HTMLResponse:
        return _page(request, desk, desk.period(period))

    @app.get("/reports/{period}/sheet", include_in_schema=False, **READERS)
    async def part(period: str) -> HTMLResponse:
        wanted = desk.period(period)
        return _report_part(desk.look(wanted), f"/reports/{wanted.key}/sheet")


def _add_answers(app: FastAPI, desk: ReportDesk) -> None:
    readers = with_responses(API_READERS, FAILURES)

    @app.get("/api/v1/reports", summary="Gaming days and shifts that have rounds", **readers)
    async def periods() -> Response:
        """The latest day first; `rounds` ended in it."""
        return _json((await desk.wait(None)).json)

    @app.get(
        "/api/v1/reports/{period}.csv",
        summary="One sheet of a report, as CSV",
        response_class=Response,
        **with_responses(readers, {200: SHEET}),
    )
    async def sheet(period: PeriodName, sheet: SheetName = "summary") -> Response:
        """Quoted so that no text becomes a formula."""
        wanted = desk.period(period)
        sheets = (await desk.wait(wanted)).sheets or {}
        if sheet not in sheets:
            raise HTTPException(404, f"{sheet!r} is not a sheet; allowed: {', '.join(sheets)}")
        named = f'attachment; filename="{wanted.key.replace(":", "")}-{sheet}.csv"'
        return Response(sheets[sheet], media_type="text/csv", headers={"Content-Disposition": named})

    @app.get("/api/v1/reports/{period}", summary="The report of a gaming day or a shift", **readers)
    async def report(period: PeriodName) -> Response:
        """A day as 2026-11-19, a shift as 2026-11-19T14:00; money in cents, times in seconds of Unix time."""
        return _json((await desk.wait(desk.period(period))).json)


def _page(request: Request, desk: ReportDesk, period: Period | None) -> HTMLResponse:
    person = caller(request)
    desk.open(period)
    return HTMLResponse(
        templates()
        .get_template("reports.html")
        .render(
            table=desk.table,
            person=person,
            ways=links_for(person),
            here="/reports",
            period=period,
            part=f"/reports/{period.key}/sheet" if period else "/reports/list",
            now=desk.now(),
            zone=desk.zone,
            sheets=SHEETS,
        )
    )


def _report_part(found: ReportAnswer | ReportWaiting, path: str) -> HTMLResponse:
    """The part of the page that htmx inserts. If the report is not there yet, the part asks again."""
    if isinstance(found, ReportAnswer) and not found.error:
        return HTMLResponse(found.page)
    why, before = (found.error, 0) if isinstance(found, ReportAnswer) else ("", found.reports_before)
    template = templates().get_template("report_waiting.html")
    return HTMLResponse(template.render(path=path, before=before, why=why, seconds=POLL_SECONDS))


def _json(text: str) -> Response:
    return Response(text, media_type="application/json")


SHEETS = (
    "summary",
    "wagers",
    "hits",
    "totals",
    "dealers",
    "pace",
    "meters",
    "claims",
    "rounds",
    "losses",
    "suspensions",
    "faults",
    "alerts",
    "people",
)
"""The sheets that the page offers: all of controller.past.reports.sheets."""
