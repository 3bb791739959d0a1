"""The routes of test mode and lamp tests."""

from fastapi import APIRouter

from controller.monitor.api.sending import act, decision_route, fields_of
from controller.monitor.authorization import Actor
from controller.monitor.context import Context
from controller.socket.messages import LampReportBody, LampTestBody, TestModeBody

router = APIRouter()


@router.post(
    "/api/v1/test-mode",
    status_code=204,
    summary="Test mode begins or ends",
    **decision_route("technician", "supervisor"),
)
async def test_mode(body: TestModeBody, session: Actor, context: Context) -> None:
    """Play stands still until it ends. A technician begins it, in any phase; a supervisor may end it."""
    await act(context, session, {"test_mode": fields_of(body)})


@router.post(
    "/api/v1/lamp-test",
    status_code=204,
    summary="All lamps show a pattern",
    **decision_route("technician"),
)
async def lamp_test(body: LampTestBody, session: Actor, context: Context) -> None:
    """In test mode only; console, players' display and buzzer are tested with them."""
    await act(context, session, {"lamp_test": fields_of(body)})


@router.post(
    "/api/v1/lamp-report",
    status_code=204,
    summary="A lamp is faulty, or works again",
    **decision_route("technician"),
)
async def lamp_report(body: LampReportBody, session: Actor, context: Context) -> None:
    """In test mode only. Lamps that are still faulty when test mode ends raise an alert."""
    await act(context, session, {"lamp_report": fields_of(body)})
