"""A supervisor's decisions."""

from typing import Any

from fastapi import APIRouter, Response
from fastapi.encoders import jsonable_encoder
from fastapi.responses import JSONResponse

from controller.monitor.api.requests import made
from controller.monitor.api.sending import ConfirmedBody, act, decision_route, fields_of, preview_of
from controller.monitor.authorization import Actor, with_responses
from controller.monitor.context import Context
from controller.socket.messages import DecisionBody, PreviewBody
from controller.table.record.preview import Preview
from controller.table.record.views import RequestView

REQUEST_MADE: dict[int, dict[str, Any]] = {
    202: {
        "model": RequestView,
        "description": "The decision moves a jackpot: another supervisor must grant it",
    }
}
DECIDES = decision_route("supervisor", "technician", confirmed=True)
router = APIRouter()


class ConfirmedDecisionBody(DecisionBody, ConfirmedBody):
    """A choice with its fields, as `tableside table supervise` has them. `token`: that of the preview;
    `entry` needs none."""


@router.post(
    "/api/v1/decisions",
    status_code=204,
    summary="Decide as a supervisor",
    **with_responses(DECIDES, REQUEST_MADE),
)
async def decisions(body: ConfirmedDecisionBody, session: Actor, context: Context) -> Response:
    """204: done. 202: the decision needs another supervisor and is now a request. A technician can only log
    an access (`entry`)."""
    taken = await act(context, session, {"decision": fields_of(body)}, body.confirm)
    if taken.request:
        return JSONResponse(jsonable_encoder(await made(context, taken)), 202)
    return Response(status_code=204)


@router.post("/api/v1/decisions/preview", summary="Preview a decision", **decision_route("supervisor"))
async def preview(body: PreviewBody, session: Actor, context: Context) -> Preview:
    """What the decision would do, and the `token` that it must carry."""
    return await preview_of(context, session, {"decision": fields_of(body)})
