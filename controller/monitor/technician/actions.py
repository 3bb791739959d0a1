"""The routes of test mode and lamp tests."""

from typing import Annotated, Self

from fastapi import FastAPI, HTTPException, Request
from pydantic import StringConstraints, model_validator

from controller.monitor.api.sending import RequestModel, Text, decision_route, send
from controller.monitor.authorization import caller
from controller.monitor.context import WebContext
from controller.table.people.supervisor_commands import MOST_TEXT
from controller.table.record.events import LampTest, TestMode
from controller.table.state.test_session import Pattern

OptionalSentence = Annotated[Text, StringConstraints(strip_whitespace=True, max_length=MOST_TEXT)]


class TestModeBody(RequestModel):
    """Whether the table is tested; why is needed to begin."""

    on: bool
    why: OptionalSentence = ""

    @model_validator(mode="after")
    def _reason_is_given(self) -> Self:
        if self.on and not self.why:
            raise ValueError("why is needed to begin")
        return self


class LampTestBody(RequestModel):
    """What all lamps are to show, the same pattern again for its next picture; and what was seen of the one
    before, as "good" or "seat 3 spot 2 dark"."""

    pattern: Pattern
    seen: OptionalSentence = ""


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
