"""Test mode and lamp tests, through the API."""

from typing import Annotated, Self

from fastapi import FastAPI, HTTPException, Request
from pydantic import StringConstraints, model_validator

from controller.monitor.api.sending import Text, Told, say, serves
from controller.monitor.authorization import caller
from controller.monitor.context import Parts
from controller.table.people.supervisor_commands import MOST_TEXT
from controller.table.record.events import LampTest, TestMode
from controller.table.state.test_session import Pattern

Sentence = Annotated[Text, StringConstraints(strip_whitespace=True, max_length=MOST_TEXT)]


class Tested(Told):
    """Whether the table is tested; why is needed to begin."""

    on: bool
    why: Sentence = ""

    @model_validator(mode="after")
    def _begun_for_a_reason(self) -> Self:
        if self.on and not self.why:
            raise ValueError("why is needed to begin")
        return self


class Lamps(Told):
    """What all lamps are to show, the same pattern again for its next picture; and what was seen of the one
    before, as "good" or "seat 3 spot 2 dark"."""

    pattern: Pattern
    seen: Sentence = ""


def add(app: FastAPI, parts: Parts) -> None:
    """Adds both routes."""

    @app.post(
        "/api/v1/test-mode",
        status_code=204,
        summary="Test mode begins or ends",
        **serves("technician", "supervisor"),
    )
    async def test_mode(told: Tested, request: Request) -> None:
        """Play stands still until it ends. A technician begins it, in any phase; a supervisor may end it."""
        person = caller(request)
        if told.on and person.role != "technician":
            raise HTTPException(403, f"{person.name} is {person.role}: a technician begins test mode")
        await say(parts, TestMode(told.on, person.name, told.why))

    @app.post(
        "/api/v1/lamp-test", status_code=204, summary="All lamps show a pattern", **serves("technician")
    )  # fmt: skip
    async def lamp_test(told: Lamps, request: Request) -> None:
        """In test mode only; console, players' display and buzzer are tested with them."""
        await say(parts, LampTest(told.pattern, caller(request).name, told.seen))
