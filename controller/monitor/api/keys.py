"""The dealer's keys on a screen."""

from fastapi import APIRouter

from controller.monitor.api.sending import decision_route, send
from controller.monitor.authorization import Caller
from controller.monitor.context import Context
from controller.socket.messages import KeyBody
from controller.table.record.events import ConsoleKey

router = APIRouter()


@router.post("/api/v1/keys", status_code=204, summary="Press a key of the dealer", **decision_route("dealer"))
async def keys(body: KeyBody, person: Caller, context: Context) -> None:
    """The answer comes when the table has applied the key. 409: another round is in play, play is
    suspended, or the key is not legal now."""
    key = ConsoleKey(body.action, body.seat, body.cents or 0, person.name, body.round or 0, body.press or "")
    await send(context, key)
