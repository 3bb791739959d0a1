"""The sessions of seats over HTTP, for player rating, read by worker processes."""

from typing import Annotated, Final

from fastapi import APIRouter, HTTPException, Query
from fastapi.responses import Response

from controller.calendar import UnknownPeriod
from controller.monitor.authorization import for_readers, with_responses
from controller.monitor.context import Context, WebContext
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
router = APIRouter()
API_READERS: Final = for_readers("supervisor", "auditor")
FAILURES: Final = {
    422: {"description": "No such day or shift, or `absent` is not allowed"},
    503: {"description": "The journal cannot be read, is damaged, or was not read in time"},
}


@router.get(
    "/api/v1/seats",
    summary="What each seat wagered and won, for player rating",
    response_model=SeatsOfPeriod,
    **with_responses(API_READERS, FAILURES),
)
async def seats(context: Context, day: Day, absent: Absent = ABSENT) -> Response:
    """The sessions of seats, with the figures of `tableside journal export --what seats`. The table
    does not know who sits at a seat: join the sessions with the times at which a player sat there."""
    return await answer_from_worker(context, "seats", _fields(context, day, absent))


@router.get(
    "/api/v1/seats.csv",
    summary="What each seat wagered and won, as a sheet",
    response_class=Response,
    **with_responses(API_READERS, FAILURES, {200: SHEET}),
)
async def sheet(context: Context, day: Day, absent: Absent = ABSENT) -> Response:
    """Decimal amounts, times in UTC. Quoted so that no text becomes a formula."""
    fields = _fields(context, day, absent)
    answer = await answer_from_worker(context, "seats sheet", fields)
    name = f"seats-{fields['period'].replace(':', '')}.csv"
    answer.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return answer


def _fields(context: WebContext, day: str, absent: int) -> dict[str, str]:
    """The fields of a question. Raises HTTPException 422."""
    try:
        period = context.report_settings().calendar.named(day)
    except UnknownPeriod as error:
        raise HTTPException(422, str(error)) from None
    return {
        "period": period.key,
        "begins": str(period.begins),
        "ends": str(period.ends),
        "absent": str(absent),
    }
