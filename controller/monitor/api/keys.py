"""The dealer's keys on a screen."""

from fastapi import APIRouter

from controller.monitor.api.sending import act, decision_route, fields_of
from controller.monitor.authorization import Actor
from controller.monitor.context import Context
from controller.socket.messages import KeyBody

router = APIRouter()


@router.post("/api/v1/keys", status_code=204, summary="Press a key of the dealer", **decision_route("dealer"))
async def keys(body: KeyBody, session: Actor, context: Context) -> None:
    """The answer comes when the table has applied the key. 409: another round is in play, play is
    suspended, or the key is not legal now."""
    await act(context, session, {"key": fields_of(body)})
