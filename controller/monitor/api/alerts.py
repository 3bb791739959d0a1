"""Acknowledging alerts."""

from fastapi import APIRouter

from controller.monitor.api.sending import Number, act, decision_route
from controller.monitor.authorization import Actor
from controller.monitor.context import Context

router = APIRouter()


@router.post(
    "/api/v1/alerts/{number}/acknowledgement",
    status_code=204,
    summary="Acknowledge an alert",
    **decision_route("supervisor", "technician"),
)
async def acknowledgement(number: Number, session: Actor, context: Context) -> None:
    """409: the alert does not exist, or it is acknowledged already."""
    await act(context, session, {"acknowledgement": {"alert": number}})
