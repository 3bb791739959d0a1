"""The routes of test mode and lamp tests."""

from fastapi import FastAPI

from controller.monitor.api.sending import act, decision_route, fields_of
from controller.monitor.authorization import Actor
from controller.monitor.context import WebContext
from controller.socket.messages import LampReportBody, LampTestBody, TestModeBody


def add(app: FastAPI, parts: WebContext) -> None:

    @app.post(
        "/api/v1/test-mode",
        status_code=204,
        summary="Test mode begins or ends",
        **decision_route("technician", "supervisor"),
    )
    async def test_mode(body: TestModeBody, session: Actor) -> None:
        """Play stands still until it ends. A technician begins it, in any phase; a supervisor may end it."""
        await act(parts, session, {"test_mode": fields_of(body)})

    @app.post(
        "/api/v1/lamp-test",
        status_code=204,
        summary="All lamps show a pattern",
        **decision_route("technician"),
    )
    async def lamp_test(body: LampTestBody, session: Actor) -> None:
        """In test mode only; console, players' display and buzzer are tested with them."""
        await act(parts, session, {"lamp_test": fields_of(body)})

    @app.post(
        "/api/v1/lamp-report",
        status_code=204,
        summary="A lamp is faulty, or works again",
        **decision_route("technician"),
    )
    async def lamp_report(body: LampReportBody, session: Actor) -> None:
        """In test mode only. Lamps that are still faulty when test mode ends raise an alert."""
        await act(parts, session, {"lamp_report": fields_of(body)})
