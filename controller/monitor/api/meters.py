"""Correcting the meter of a jackpot: one supervisor requests it, another one grants it."""

from typing import Annotated

from fastapi import APIRouter, Path

from controller.monitor.api.requests import made
from controller.monitor.api.sending import ConfirmedBody, act, decision_route, fields_of, preview_of
from controller.monitor.authorization import Actor
from controller.monitor.context import Context
from controller.socket.messages import MeterBody, MeterPreviewBody
from controller.table.record.preview import Preview
from controller.table.record.views import RequestView

Spot = Annotated[str, Path(max_length=40, description="The spot of the jackpot, as `blazing-7s`")]
router = APIRouter()


class ConfirmedMeterBody(MeterBody, ConfirmedBody):
    """`cents`: the amount that the jackpot is to show. `token`: that of the preview."""


@router.post(
    "/api/v1/meters/{spot}",
    status_code=201,
    summary="Request the correction of a meter",
    **decision_route("supervisor", confirmed=True),
)
async def meter(spot: Spot, body: ConfirmedMeterBody, session: Actor, context: Context) -> RequestView:
    """The meter changes when another supervisor has granted the request. 409: it cannot change now."""
    return await made(
        context, await act(context, session, {"meter": fields_of(body, spot=spot)}, body.confirm)
    )


@router.post(
    "/api/v1/meters/{spot}/preview",
    summary="Preview the correction of a meter",
    **decision_route("supervisor"),
)
async def preview(spot: Spot, body: MeterPreviewBody, session: Actor, context: Context) -> Preview:
    """What the correction would change, and the `token` that it must carry."""
    return await preview_of(context, session, {"meter": fields_of(body, spot=spot)})
