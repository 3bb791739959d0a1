"""A supervisor's decisions, and what they would do."""

from dataclasses import replace
from typing import Any, get_args

from fastapi import FastAPI, HTTPException, Request, Response
from fastapi.encoders import jsonable_encoder
from fastapi.responses import JSONResponse

from controller.access.people import Person
from controller.monitor.api.requests import latest_request
from controller.monitor.api.sending import (
    PREVIEW_REASON,
    OptionalReason,
    Reason,
    RequestModel,
    Token,
    decision_route,
    parsed,
    preview_of,
    send,
)
from controller.monitor.authorization import caller
from controller.monitor.context import WebContext
from controller.table.people import supervisor_commands
from controller.table.record.choices import CHOICES, ChoiceName
from controller.table.record.events import RequestMade, RequestSubject, Supervisor
from controller.table.record.preview import Preview
from controller.table.record.views import RequestView

REQUEST_MADE: dict[int | str, dict[str, Any]] = {
    202: {"model": RequestView, "description": "It moves a jackpot: another supervisor is asked to grant it"}
}
REQUEST_SUBJECTS: tuple[RequestSubject, ...] = get_args(RequestSubject)


class DecisionBody(RequestModel):
    """A choice with its fields, as in `tableside supervise`. The person who is signed in decides. `token`:
    the token of the preview; only `entry` needs none."""

    choice: ChoiceName
    why: Reason
    card: str | None = None
    seat: int | None = None
    hand: int | None = None
    number: int | None = None
    old: str | None = None
    round: int | None = None
    device: str | None = None
    licence: str | None = None
    token: Token | None = None


class PreviewBody(DecisionBody):
    """A decision to preview; its reason may be missing."""

    why: OptionalReason = PREVIEW_REASON


def add(app: FastAPI, parts: WebContext) -> None:
    """Adds the decisions, and their previews."""
    guarded = decision_route("supervisor", "technician")
    guarded["responses"] = {**guarded["responses"], **REQUEST_MADE}

    @app.post("/api/v1/decisions", status_code=204, summary="A supervisor decides", **guarded)
    async def decisions(body: DecisionBody, request: Request) -> Response:
        """204: it is done. 202: it takes another supervisor, who is asked. A technician enters what they
        open (`entry`), and nothing else."""
        person = caller(request)
        decision = decision_of(person, body)
        if CHOICES[decision.choice].may_need_two and preview_of(parts, decision).by_two:
            about = next(subject for subject in REQUEST_SUBJECTS if subject == decision.choice)
            request_made = RequestMade(about, person.name, person.role, decision.why, word=decision)
            await send(parts, request_made)
            return JSONResponse(jsonable_encoder(latest_request(parts, request_made)), 202)
        await send(parts, decision)
        return Response(status_code=204)

    @app.post(
        "/api/v1/decisions/preview",
        summary="What a decision would do",
        **decision_route("supervisor"),
    )
    async def preview(body: PreviewBody, request: Request) -> Preview:
        """Sentences, what would be different, and the `token` that the decision has to carry."""
        return preview_of(parts, decision_of(caller(request), body))


def decision_of(person: Person, body: DecisionBody) -> Supervisor:
    """The decision of who is signed in; raises RequestValidationError, and HTTPException 403 for what is not
    theirs to say."""
    if person.role == "technician" and not CHOICES[body.choice].only_recorded:
        raise HTTPException(403, f"{person.name} is technician; allowed: entry")
    fields = body.model_dump(exclude_none=True) | {"who": person.name}
    return replace(parsed(supervisor_commands.read_choice, fields), signed_in=True)
