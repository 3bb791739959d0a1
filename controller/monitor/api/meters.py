"""A meter of a jackpot is corrected by two persons: one asks, another one grants it."""

from typing import Annotated

from fastapi import FastAPI, Path, Request
from pydantic import Field

from controller.access.people import Person
from controller.monitor.api.requests import latest_request
from controller.monitor.api.sending import (
    PREVIEW_REASON,
    OptionalReason,
    Reason,
    RequestModel,
    Token,
    decision_route,
    preview_of,
    send,
)
from controller.monitor.authorization import caller
from controller.monitor.context import WebContext
from controller.table.people.supervisor_commands import MOST_CENTS
from controller.table.record.events import MeterCorrection, RequestMade
from controller.table.record.preview import Preview
from controller.table.record.views import RequestView

Spot = Annotated[str, Path(max_length=40)]
Cents = Annotated[int, Field(ge=1, le=MOST_CENTS)]


class MeterPreviewBody(RequestModel):
    """What the jackpot would show; a reason may be missing."""

    cents: Cents
    why: OptionalReason = PREVIEW_REASON


class MeterBody(RequestModel):
    """What the jackpot is to show. `token`: that of the preview."""

    cents: Cents
    why: Reason
    token: Token = ""


def add(app: FastAPI, parts: WebContext) -> None:
    """Adds the corrections."""

    @app.post(
        "/api/v1/meters/{spot}",
        status_code=201,
        summary="Ask for the correction of a meter",
        **decision_route("supervisor"),
    )
    async def meter(spot: Spot, body: MeterBody, request: Request) -> RequestView:
        """It is done once another supervisor has granted the request. 409 says why it cannot be now."""
        request_made = _request(caller(request), spot, body)
        await send(parts, request_made)
        return latest_request(parts, request_made)

    @app.post(
        "/api/v1/meters/{spot}/preview",
        summary="What the correction of a meter would do",
        **decision_route("supervisor"),
    )
    async def preview(spot: Spot, body: MeterPreviewBody, request: Request) -> Preview:
        """What would be different, and the `token` that the correction has to carry."""
        return preview_of(
            parts, _request(caller(request), spot, MeterBody(cents=body.cents, why=PREVIEW_REASON))
        )


def _request(person: Person, spot: str, body: MeterBody) -> RequestMade:
    correction = MeterCorrection(spot, body.cents, person.name, "", body.why, True, body.token)
    return RequestMade("meter", person.name, person.role, body.why, meter=correction)
