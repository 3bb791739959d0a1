"""The sessions of seats over HTTP, for player rating, read by worker processes."""

from typing import Annotated, Any, Final

from fastapi import FastAPI, HTTPException, Query
from fastapi.responses import Response

from controller.calendar import UnknownPeriod
from controller.monitor.authorization import for_readers
from controller.monitor.context import WebContext
from controller.monitor.past.asking import SHEET, answer_from_worker
from controller.past.export.seat_lines import ABSENT, SeatsOfPeriod

Day = Annotated[
    str,
    Query(
        max_length=40,
        description="A gaming day, as `2026-11-19`, or a shift by its begin, as `2026-11-19T14:00`: "
        "sessions whose last round ended in it",
        examples=["2026-11-19"],
    ),
]
Absent = Annotated[int, Query(ge=1, le=1000, description="Rounds without a wager that end a session")]
API_READERS: Final = for_readers("supervisor", "auditor")
WITH_FAILURES: Final[dict[str, Any]] = {
    **API_READERS,
    "responses": {
        **API_READERS["responses"],
        422: {"description": "No such day or shift, or `absent` is not allowed"},
        503: {"description": "The journal cannot be read, is damaged, or was not read in time"},
    },
}


def add(app: FastAPI, parts: WebContext) -> None:
    @app.get(
        "/api/v1/seats",
        summary="What each seat wagered and won, for player rating",
        response_model=SeatsOfPeriod,
        **WITH_FAILURES,
    )
    async def seats(day: Day, absent: Absent = ABSENT) -> Response:
        """The sessions of seats, with the figures of `tableside journal export --what seats`. Nobody knows
        who sits at a seat: join the sessions with the times at which a player sat there."""
        return await answer_from_worker(parts, "seats", _fields(parts, day, absent))

    @app.get(
        "/api/v1/seats.csv",
        summary="What each seat wagered and won, as a sheet",
        response_class=Response,
        **{**WITH_FAILURES, "responses": {**WITH_FAILURES["responses"], 200: SHEET}},
    )
    async def sheet(day: Day, absent: Absent = ABSENT) -> Response:
        """Decimal amounts, times in UTC. Quoted so that no text becomes a formula."""
        fields = _fields(parts, day, absent)
        answer = await answer_from_worker(parts, "seats sheet", fields)
        name = f"seats-{fields['period'].replace(':', '')}.csv"
        answer.headers["Content-Disposition"] = f'attachment; filename="{name}"'
        return answer


def _fields(parts: WebContext, day: str, absent: int) -> dict[str, str]:
    """The fields of a question. Raises HTTPException 422."""
    try:
        period = parts.report_settings().calendar.named(day)
    except UnknownPeriod as error:
        raise HTTPException(422, str(error)) from None
    return {
        "period": period.key,
        "begins": str(period.begins),
        "ends": str(period.ends),
        "absent": str(absent),
    }
