"""Rounds and the audit log over HTTP: every answer is made by a process of its own."""

from typing import Annotated, Any, Final

from fastapi import FastAPI, Query, Request, Response
from fastapi import Path as Place
from pydantic import BaseModel, Field

from controller.monitor.authorization import caller, only
from controller.monitor.context import Parts, past
from controller.monitor.past.asking import given, told
from controller.monitor.past.messages import Question
from controller.past.recall.account import Story
from controller.past.recall.audit import MOST as MOST_LINES
from controller.past.recall.audit import Log
from controller.past.recall.query import Outcome
from controller.past.recall.scenes import Play
from controller.past.recall.search import MOST, Found

MOST_ROW: Final = 1 << 53
Number = Annotated[int, Place(ge=1, le=MOST_ROW)]


class Asked(BaseModel):
    """`since` and `until`: seconds of Unix time; `before`: rows with a smaller number."""

    since: float = Field(0.0, ge=0, le=1e12, allow_inf_nan=False)
    until: float = Field(1e12, ge=0, le=1e12, allow_inf_nan=False)
    before: int | None = Field(None, ge=1, le=MOST_ROW)
    person: str = ""


class RoundsAsked(Asked):
    """Which rounds: see Wanted."""

    number: int | None = Field(None, ge=1, le=MOST_ROW)
    seat: int | None = Field(None, ge=1, le=9)
    wager: str = ""
    over: int | None = Field(None, ge=1, le=10**11)
    outcome: Outcome | None = None
    cards: str = ""
    dealer: str = ""
    limit: int = Field(50, ge=1, le=MOST)


class AuditAsked(Asked):
    """Which deeds."""

    sort: str = ""
    text: str = ""
    limit: int = Field(100, ge=1, le=MOST_LINES)


Responses = dict[int, dict[str, Any]]
READERS: Final = only("supervisor", "auditor")
UNREADABLE: Final[Responses] = {
    503: {"description": "The journal cannot be read, is damaged, or was not read in time"}
}
NOWHERE: Final[Responses] = {
    404: {"description": "The round has not ended yet, or is kept no more"},
    **UNREADABLE,
}


def add(app: FastAPI, parts: Parts) -> None:
    """Adds the API and the pages of what is past."""
    _add_rounds(app, parts)
    _add_audit(app, parts)
    _add_pages(app, parts)


def _add_rounds(app: FastAPI, parts: Parts) -> None:
    @app.get(
        "/api/v1/rounds", summary="Ended rounds: newest first", response_model=Found, **_with(UNREADABLE)
    )
    async def rounds(asked: Annotated[RoundsAsked, Query()]) -> Response:
        """All that is named holds; one settled line is of that `seat` and `wager`, and paid more than `over`
        cents. `cards` as "Ts" or "T". 422 names what is not allowed."""
        return await told(parts, "rounds", _named(asked))

    @app.get("/api/v1/rounds/{number}", summary="One ended round", response_model=Story, **_with(NOWHERE))
    async def one(number: Number) -> Response:
        """Cards, wagers, settled lines, lamps, who dealt, what was put right, and where it is kept."""
        return await told(parts, "round", {"number": str(number)})

    @app.get(
        "/api/v1/rounds/{number}/steps",
        summary="One ended round, step by step",
        response_model=Play,
        **_with(NOWHERE),
    )
    async def steps(number: Number) -> Response:
        """The inputs applied once more; after each of them the table as anybody could see it then. A card
        that lies face down is "??"."""
        return await told(parts, "steps", {"number": str(number)})


def _add_audit(app: FastAPI, parts: Parts) -> None:
    @app.get("/api/v1/audit", summary="Who did what: newest first", response_model=Log, **_with(UNREADABLE))
    async def audit(asked: Annotated[AuditAsked, Query()]) -> Response:
        """Sign-ins, decisions, requests, claims, and what else persons did; 422 names a `sort` that there is
        not."""
        return await told(parts, "audit", _named(asked))

    @app.get("/audit.csv", include_in_schema=False, **READERS)
    async def sheet(request: Request) -> Response:
        answer = await told(parts, "audit sheet", dict(request.query_params))
        answer.headers["Content-Disposition"] = 'attachment; filename="audit.csv"'
        return answer


def _add_pages(app: FastAPI, parts: Parts) -> None:
    @app.get("/rounds", include_in_schema=False, **READERS)
    async def rounds(request: Request) -> Response:
        return await _page(parts, "rounds page", request)

    @app.get("/rounds/{number}", include_in_schema=False, **READERS)
    async def one(request: Request, number: Number) -> Response:
        return await _page(parts, "round page", request, number)

    @app.get("/rounds/{number}/replay", include_in_schema=False, **READERS)
    async def replay(request: Request, number: Number) -> Response:
        return await _page(parts, "replay page", request, number)

    @app.get("/audit", include_in_schema=False, **READERS)
    async def audit(request: Request) -> Response:
        return await _page(parts, "audit page", request)

    @app.get("/audit/events", include_in_schema=False, **READERS)
    async def events(request: Request) -> Response:
        return await _page(parts, "events page", request)


async def _page(parts: Parts, what: str, request: Request, number: int | None = None) -> Response:
    asked = dict(request.query_params) | ({"number": str(number)} if number else {})
    question = Question(what, str(past(parts)), asked, parts.view().table, caller(request))
    return given(await parts.ask(question))


def _named(asked: Asked) -> dict[str, str]:
    """What was asked for, as text."""
    return {name: str(value) for name, value in asked.model_dump(exclude_none=True).items()}


def _with(responses: Responses) -> dict[str, Any]:
    """What READERS say, with further answers."""
    return {**READERS, "responses": {**READERS["responses"], **responses}}
