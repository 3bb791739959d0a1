"""A supervisor's decisions."""

from dataclasses import replace
from typing import Any, get_args

from fastapi import APIRouter, HTTPException, Response
from fastapi.encoders import jsonable_encoder
from fastapi.responses import JSONResponse

from controller.access.people import Person
from controller.monitor.api.requests import latest_request
from controller.monitor.api.sending import decision_route, parsed, preview_of, send
from controller.monitor.authorization import Caller
from controller.monitor.context import Context
from controller.socket.messages import DecisionBody, PreviewBody
from controller.table.people.supervisor_commands import read_choice
from controller.table.record.choices import CHOICES
from controller.table.record.events import RequestMade, RequestSubject, Supervisor
from controller.table.record.preview import Preview
from controller.table.record.views import RequestView

REQUEST_MADE: dict[int | str, dict[str, Any]] = {
    202: {
        "model": RequestView,
        "description": "The decision moves a jackpot: another supervisor must grant it",
    }
}
REQUEST_SUBJECTS: tuple[RequestSubject, ...] = get_args(RequestSubject)
DECIDES = decision_route("supervisor", "technician")
router = APIRouter()


@router.post(
    "/api/v1/decisions",
    status_code=204,
    summary="Decide as a supervisor",
    **{**DECIDES, "responses": {**DECIDES["responses"], **REQUEST_MADE}},
)
async def decisions(body: DecisionBody, person: Caller, context: Context) -> Response:
    """204: done. 202: the decision needs another supervisor and is now a request. A technician can only log
    an access (`entry`)."""
    decision = decision_of(person, body)
    if CHOICES[decision.choice].may_need_two and preview_of(context, decision).by_two:
        subject = next(subject for subject in REQUEST_SUBJECTS if subject == decision.choice)
        request = RequestMade(subject, person.name, person.role, decision.why, word=decision)
        await send(context, request)
        return JSONResponse(jsonable_encoder(latest_request(context, request)), 202)
    await send(context, decision)
    return Response(status_code=204)


@router.post("/api/v1/decisions/preview", summary="Preview a decision", **decision_route("supervisor"))
async def preview(body: PreviewBody, person: Caller, context: Context) -> Preview:
    """What the decision would do, and the `token` that it must carry."""
    return preview_of(context, decision_of(person, body))


def decision_of(person: Person, body: DecisionBody) -> Supervisor:
    """Raises RequestValidationError, and HTTPException 403 for a choice that this role may not make."""
    if person.role == "technician" and not CHOICES[body.choice].only_recorded:
        raise HTTPException(403, f"{person.name} is technician; allowed: entry")
    fields = body.model_dump(exclude_none=True) | {"who": person.name}
    return replace(parsed(read_choice, fields), signed_in=True)
