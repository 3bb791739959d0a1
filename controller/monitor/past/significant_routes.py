"""Significant events over HTTP, searched by worker processes."""

from typing import Annotated, Final

from fastapi import FastAPI, Query
from fastapi.responses import Response

from controller.monitor.authorization import for_readers
from controller.monitor.context import WebContext
from controller.monitor.past.asking import answer_from_worker
from controller.monitor.past.routes import MOST_ROW
from controller.past.significant import MOST, SignificantPage
from controller.table.record.message_kinds import CODES

Moment = Annotated[float, Query(ge=0, le=1e12, allow_inf_nan=False)]
READER_ROUTE: Final = for_readers("supervisor", "technician", "auditor")


def add(app: FastAPI, parts: WebContext) -> None:
    @app.get(
        "/api/v1/significant-events",
        summary="Doors, faults, losses, corrections, wins: newest first",
        response_model=SignificantPage,
        **READER_ROUTE,
    )
    async def significant_events(
        code: str = "",
        text: str = "",
        since: Moment = 0.0,
        until: Moment = 1e12,
        before: Annotated[int, Query(ge=1, le=MOST_ROW)] = MOST_ROW,
        limit: Annotated[int, Query(ge=1, le=MOST)] = 50,
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
            parts, "significant events", {name: str(value) for name, value in fields.items()}
        )

    @app.get("/api/v1/significant-events/codes", summary="Every code, and what it stands for", **READER_ROUTE)
    async def codes() -> dict[str, str]:
        return dict(CODES)
