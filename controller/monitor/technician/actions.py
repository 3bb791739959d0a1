"""The routes of test mode and lamp tests."""

from fastapi import FastAPI, HTTPException, Request

from controller.monitor.api.sending import decision_route, send
from controller.monitor.authorization import caller
from controller.monitor.context import WebContext
from controller.socket.messages import LampTestBody, TestModeBody
from controller.table.record.events import LampTest, TestMode


def add(app: FastAPI, parts: WebContext) -> None:

    @app.post(
        "/api/v1/test-mode",
        status_code=204,
        summary="Test mode begins or ends",
        **decision_route("technician", "supervisor"),
    )
    async def test_mode(body: TestModeBody, request: Request) -> None:
        """Play stands still until it ends. A technician begins it, in any phase; a supervisor may end it."""
        person = caller(request)
        if body.on and person.role != "technician":
            raise HTTPException(403, f"{person.name} is {person.role}: a technician begins test mode")
        await send(parts, TestMode(body.on, person.name, body.why))

    @app.post(
        "/api/v1/lamp-test",
        status_code=204,
        summary="All lamps show a pattern",
        **decision_route("technician"),
    )
    async def lamp_test(body: LampTestBody, request: Request) -> None:
        """In test mode only; console, players' display and buzzer are tested with them."""
        await send(parts, LampTest(body.pattern, caller(request).name, body.seen))
