"""The dealer's keys on a screen."""

from typing import Annotated

from fastapi import APIRouter
from pydantic import Field, StringConstraints

from controller.monitor.api.sending import RequestModel, decision_route, send
from controller.monitor.authorization import Caller
from controller.monitor.context import Context
from controller.round.keys import Action
from controller.table.people.supervisor_commands import MOST_CENTS, MOST_NUMBER
from controller.table.record.events import ConsoleKey
from drivers.protocol.codes import MOST_SEATS

router = APIRouter()


class KeyBody(RequestModel):
    """`round`: the round that the screen shows, so that a late key never reaches another one. `press`: the
    id of this press; the table takes it once, even if it arrives again after a lost answer."""

    action: Action
    seat: Annotated[int, Field(ge=0, le=MOST_SEATS)] = 0
    cents: Annotated[int, Field(ge=1, le=MOST_CENTS)] | None = None
    round: Annotated[int, Field(ge=1, le=MOST_NUMBER)] | None = None
    press: Annotated[str, StringConstraints(pattern="^[A-Za-z0-9-]{1,64}$")] | None = None


@router.post("/api/v1/keys", status_code=204, summary="Press a key of the dealer", **decision_route("dealer"))
async def keys(body: KeyBody, person: Caller, context: Context) -> None:
    """The answer comes when the table has applied the key. 409: another round is in play, play is
    suspended, or the key is not legal now."""
    key = ConsoleKey(body.action, body.seat, body.cents or 0, person.name, body.round or 0, body.press or "")
    await send(context, key)
