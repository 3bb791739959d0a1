"""Significant events over HTTP, searched by worker processes."""

from typing import Annotated, Final

from fastapi import APIRouter, Query
from fastapi.responses import Response

from controller.monitor.authorization import for_readers
from controller.monitor.context import Context
from controller.monitor.past.asking import answer_from_worker
from controller.monitor.past.routes import MOST_ROW
from controller.past.significant import MOST, SignificantPage
from controller.table.record.message_kinds import CODES

Since = Annotated[
    float,
    Query(ge=0, le=1e12, allow_inf_nan=False, description="Only events of then or later, in Unix time"),
]
Until = Annotated[
    float,
    Query(ge=0, le=1e12, allow_inf_nan=False, description="Only events of before this, in Unix time"),
]
Before = Annotated[
    int,
    Query(
        ge=1,
        le=MOST_ROW,
        description="Only rows with a smaller number: that of the last event gives the next page",
    ),
]
Code = Annotated[str, Query(description="One of `/api/v1/significant-events/codes`; empty for any")]
Text = Annotated[str, Query(description="A part of the device, its serial number or the sentence")]
Limit = Annotated[int, Query(ge=1, le=MOST, description="The most events in the answer")]
router = APIRouter()
READER_ROUTE: Final = for_readers("supervisor", "technician", "auditor")


@router.get(
    "/api/v1/significant-events",
    summary="Doors, faults, losses, corrections, wins: newest first",
    response_model=SignificantPage,
    **READER_ROUTE,
)
async def significant_events(
    context: Context,
    code: Code = "",
    text: Text = "",
    since: Since = 0.0,
    until: Until = 1e12,
    before: Before = MOST_ROW,
    limit: Limit = 50,
) -> Response:
    """Times are seconds of Unix time. 422: an unknown code; 503: the journal cannot be searched."""
    fields = {
        "code": code,
        "text": text,
        "since": since,
        "until": until,
        "before": before,
        "limit": limit,
    }
    return await answer_from_worker(
        context, "significant events", {name: str(value) for name, value in fields.items()}
    )


@router.get("/api/v1/significant-events/codes", summary="Every code, and what it stands for", **READER_ROUTE)
async def codes() -> dict[str, str]:
    """A sentence by code."""
    return dict(CODES)
