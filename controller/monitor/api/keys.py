"""The dealer's keys on a screen."""

from typing import Annotated

from fastapi import FastAPI, Request
from pydantic import Field, StringConstraints

from controller.monitor.api.sending import RequestModel, decision_route, send
from controller.monitor.authorization import caller
from controller.monitor.context import WebContext
from controller.round.keys import Action
from controller.table.people.supervisor_commands import MOST_CENTS, MOST_NUMBER
from controller.table.record.events import ConsoleKey
from drivers.protocol.codes import MOST_SEATS


class KeyBody(RequestModel):
    """A key. `round`: the one that the screen shows, so that a key never lands in another one. `press`: what
    the screen calls this press: told again, as after a lost answer, it is taken once."""

    action: Action
    seat: Annotated[int, Field(ge=0, le=MOST_SEATS)] = 0
    cents: Annotated[int, Field(ge=1, le=MOST_CENTS)] | None = None
    round: Annotated[int, Field(ge=1, le=MOST_NUMBER)] | None = None
    press: Annotated[str, StringConstraints(pattern="^[A-Za-z0-9-]{1,64}$")] | None = None


def add(app: FastAPI, parts: WebContext) -> None:
    """Adds the keys."""

    @app.post(
        "/api/v1/keys",
        status_code=204,
        summary="A key of the dealer's is pressed",
        **decision_route("dealer"),
    )
    async def keys(body: KeyBody, request: Request) -> None:
        """Done once the answer is here. 409 says why the table does not take it now: another round is in
        play, play is suspended, the key is not possible."""
        who = caller(request).name
        key = ConsoleKey(body.action, body.seat, body.cents or 0, who, body.round or 0, body.press or "")
        await send(parts, key)
