"""A supervisor's decisions, and what they would do."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from fastapi import FastAPI, HTTPException, Request, Response
from fastapi.encoders import jsonable_encoder
from fastapi.responses import JSONResponse

from controller.access.people import Person
from controller.monitor.api.requests import latest
from controller.monitor.api.sending import UNSAID, Perhaps, Token, Told, Why, foresee, say, serves, understood
from controller.monitor.authorization import caller
from controller.monitor.context import Parts
from controller.table.people import supervisor_commands
from controller.table.record.events import About, Asked, Choice, Supervisor
from controller.table.record.preview import Preview
from controller.table.record.views import RequestView

ASKED: dict[int | str, dict[str, Any]] = {
    202: {"model": RequestView, "description": "It moves a jackpot: another supervisor is asked to grant it"}
}
BY_TWO: Mapping[Choice, About] = {"void": "void", "correct": "correct", "assign": "assign"}
"""Choices that may move a jackpot, and what another supervisor is asked for then."""


class Word(Told):
    """A choice with what belongs to it, as `tableside supervise` has it; who decides is signed in. `token`:
    that of the preview; only `entry` needs none."""

    choice: Choice
    why: Why
    card: str | None = None
    seat: int | None = None
    hand: int | None = None
    number: int | None = None
    old: str | None = None
    round: int | None = None
    device: str | None = None
    licence: str | None = None
    token: Token | None = None


class Question(Word):
    """A decision to preview; its reason may be missing."""

    why: Perhaps = UNSAID


def add(app: FastAPI, parts: Parts) -> None:
    """Adds the decisions, and their previews."""
    guarded = serves("supervisor", "technician")
    guarded["responses"] = {**guarded["responses"], **ASKED}

    @app.post("/api/v1/decisions", status_code=204, summary="A supervisor decides", **guarded)
    async def decisions(word: Word, request: Request) -> Response:
        """204: it is done. 202: it takes another supervisor, who is asked. A technician enters what they
        open (`entry`), and nothing else."""
        person = caller(request)
        said = spoken_by(person, word)
        about = BY_TWO.get(said.choice)
        if about and foresee(parts, said).by_two:
            asked = Asked(about, person.name, person.role, said.why, word=said)
            await say(parts, asked)
            return JSONResponse(jsonable_encoder(latest(parts, asked)), 202)
        await say(parts, said)
        return Response(status_code=204)

    @app.post(
        "/api/v1/decisions/preview",
        summary="What a decision would do",
        **serves("supervisor"),
    )
    async def preview(question: Question, request: Request) -> Preview:
        """Sentences, what would be different, and the `token` that the decision has to carry."""
        return foresee(parts, spoken_by(caller(request), question))


def spoken_by(person: Person, word: Word) -> Supervisor:
    """The decision of who is signed in; raises RequestValidationError, and HTTPException 403 for what is not
    theirs to say."""
    if person.role == "technician" and word.choice != "entry":
        raise HTTPException(403, f"{person.name} is technician; allowed: entry")
    told = word.model_dump(exclude_none=True) | {"who": person.name}
    return replace(understood(supervisor_commands.choice, told), signed_in=True)
