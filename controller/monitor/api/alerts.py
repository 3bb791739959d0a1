"""Acknowledging alerts."""

from fastapi import APIRouter

from controller.monitor.api.sending import Number, decision_route, send
from controller.monitor.authorization import Caller
from controller.monitor.context import Context
from controller.table.record.events import Acknowledged

router = APIRouter()


@router.post(
    "/api/v1/alerts/{number}/acknowledgement",
    status_code=204,
    summary="Acknowledge an alert",
    **decision_route("supervisor", "technician"),
)
async def acknowledgement(number: Number, person: Caller, context: Context) -> None:
    """409: there is no such alert, or somebody has acknowledged it already."""
    await send(context, Acknowledged(number, person.name))
