"""Correcting the meter of a jackpot: one supervisor requests it, another one grants it."""

from typing import Annotated

from fastapi import APIRouter, Path

from controller.access.people import Person
from controller.monitor.api.requests import latest_request
from controller.monitor.api.sending import decision_route, preview_of, send
from controller.monitor.authorization import Caller
from controller.monitor.context import Context
from controller.socket.messages import MeterBody, MeterPreviewBody
from controller.socket.texts import PREVIEW_REASON
from controller.table.record.events import MeterCorrection, RequestMade
from controller.table.record.preview import Preview
from controller.table.record.views import RequestView

Spot = Annotated[str, Path(max_length=40)]
router = APIRouter()


@router.post(
    "/api/v1/meters/{spot}",
    status_code=201,
    summary="Request the correction of a meter",
    **decision_route("supervisor"),
)
async def meter(spot: Spot, body: MeterBody, person: Caller, context: Context) -> RequestView:
    """The meter changes when another supervisor has granted the request. 409: it cannot change now."""
    request = _request(person, spot, body)
    await send(context, request)
    return latest_request(context, request)


@router.post(
    "/api/v1/meters/{spot}/preview",
    summary="Preview the correction of a meter",
    **decision_route("supervisor"),
)
async def preview(spot: Spot, body: MeterPreviewBody, person: Caller, context: Context) -> Preview:
    """What the correction would change, and the `token` that it must carry."""
    return preview_of(context, _request(person, spot, MeterBody(cents=body.cents, why=PREVIEW_REASON)))


def _request(person: Person, spot: str, body: MeterBody) -> RequestMade:
    correction = MeterCorrection(spot, body.cents, person.name, "", body.why, True, body.token)
    return RequestMade("meter", person.name, person.role, body.why, meter=correction)
