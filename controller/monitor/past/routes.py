"""Past rounds and the audit log over HTTP, answered by worker processes."""

import time
from typing import Annotated, Any, Final

from fastapi import APIRouter, Query, Request, Response
from fastapi import Path as Place
from pydantic import BaseModel, Field

from controller.calendar import Calendar
from controller.monitor.authorization import caller, for_readers, for_roles, with_responses
from controller.monitor.context import Context, WebContext, journal_path
from controller.monitor.past.asking import answer_from_worker, http_response
from controller.monitor.past.messages import TableFacts, WorkerQuestion
from controller.past.recall.account import RoundStory
from controller.past.recall.audit import MOST as MOST_LINES
from controller.past.recall.audit import AuditPage
from controller.past.recall.query import Outcome
from controller.past.recall.scenes import RoundSteps
from controller.past.recall.search import MOST, RoundsPage

MOST_ROW: Final = 1 << 53
MOST_SEATS: Final = 9
Number = Annotated[int, Place(ge=1, le=MOST_ROW, description="The number of the round")]


class JournalQuery(BaseModel):
    """What both searches take."""

    since: float = Field(
        0.0, ge=0, le=1e12, allow_inf_nan=False, description="Only what was then or later, in Unix time"
    )
    until: float = Field(
        1e12, ge=0, le=1e12, allow_inf_nan=False, description="Only what was earlier than this, in Unix time"
    )
    before: int | None = Field(
        None, ge=1, le=MOST_ROW, description="Only rows with a smaller number: `before` of the last answer"
    )
    person: str = Field(
        "", description="A part of the name of a person who requested, agreed, decided or corrected something"
    )


class RoundsQuery(JournalQuery):
    """See RoundQuery."""

    number: int | None = Field(None, ge=1, le=MOST_ROW, description="The number of the round")
    seat: int | None = Field(None, ge=1, le=MOST_SEATS, description="The seat of a settled wager")
    wager: str = Field("", description="The spot of a settled wager, as `blazing-7s`")
    over: int | None = Field(None, ge=1, le=10**11, description="A settled wager was paid more minor units")
    outcome: Outcome | None = Field(
        None, description="`jackpot`: a share was won; `bust`: that of the dealer's hand"
    )
    cards: str = Field("", description="Cards that were all on the table, as `7s 7s K`")
    dealer: str = Field("", description="A part of the name of the dealer")
    limit: int = Field(50, ge=1, le=MOST, description="The most rounds in the answer")


class AuditLogQuery(JournalQuery):
    """See AuditQuery."""

    sort: str = Field("", description="What it was, as `access` or `claim`")
    text: str = Field("", description="A part of the text, in any case")
    limit: int = Field(100, ge=1, le=MOST_LINES, description="The most lines in the answer")


router = APIRouter()
Responses = dict[int, dict[str, Any]]
READERS: Final = for_roles("supervisor", "auditor")
API_READERS: Final = for_readers("supervisor", "auditor")
UNREADABLE: Final[Responses] = {
    503: {"description": "The journal cannot be read, is damaged, or was not read in time"}
}
NO_SUCH_ROUND: Final[Responses] = {
    404: {"description": "The round has not ended yet, or its file was removed"},
    **UNREADABLE,
}


@router.get(
    "/api/v1/rounds",
    summary="Ended rounds: newest first",
    response_model=RoundsPage,
    **with_responses(API_READERS, UNREADABLE),
)
async def rounds(context: Context, query: Annotated[RoundsQuery, Query()]) -> Response:
    """A round must match every parameter. One settled line must be of that `seat` and `wager`, and have
    paid more than `over` cents. `cards` as "Ts" or "T". 422 names what is not allowed."""
    return await answer_from_worker(context, "rounds", _query_fields(query))


@router.get(
    "/api/v1/rounds/{number}",
    summary="One ended round",
    response_model=RoundStory,
    **with_responses(API_READERS, NO_SUCH_ROUND),
)
async def one(context: Context, number: Number) -> Response:
    """Cards, wagers, settled lines, lamps, dealers, corrections, and where the round is in the
    journal."""
    return await answer_from_worker(context, "round", {"number": str(number)})


@router.get(
    "/api/v1/rounds/{number}/steps",
    summary="One ended round, step by step",
    response_model=RoundSteps,
    **with_responses(API_READERS, NO_SUCH_ROUND),
)
async def steps(context: Context, number: Number) -> Response:
    """The inputs are applied again; after each of them, the table as everybody could see it. A card that
    lies face down is "??"."""
    return await answer_from_worker(context, "steps", {"number": str(number)})


@router.get(
    "/api/v1/audit",
    summary="Who did what: newest first",
    response_model=AuditPage,
    **with_responses(API_READERS, UNREADABLE),
)
async def audit(context: Context, query: Annotated[AuditLogQuery, Query()]) -> Response:
    """Sign-ins, decisions, requests, claims, and everything else that people did. 422: an unknown
    `sort`."""
    return await answer_from_worker(context, "audit", _query_fields(query))


@router.get("/audit.csv", include_in_schema=False, **READERS)
async def audit_sheet(context: Context, request: Request) -> Response:
    answer = await answer_from_worker(context, "audit sheet", dict(request.query_params))
    answer.headers["Content-Disposition"] = 'attachment; filename="audit.csv"'
    return answer


@router.get("/rounds", include_in_schema=False, **READERS)
async def rounds_page(context: Context, request: Request) -> Response:
    return await _page(context, "rounds page", request)


@router.get("/rounds/{number}", include_in_schema=False, **READERS)
async def round_page(context: Context, request: Request, number: Number) -> Response:
    return await _page(context, "round page", request, number)


@router.get("/rounds/{number}/replay", include_in_schema=False, **READERS)
async def replay_page(context: Context, request: Request, number: Number) -> Response:
    return await _page(context, "replay page", request, number)


@router.get("/audit", include_in_schema=False, **READERS)
async def audit_page(context: Context, request: Request) -> Response:
    return await _page(context, "audit page", request)


@router.get("/audit/events", include_in_schema=False, **READERS)
async def events_page(context: Context, request: Request) -> Response:
    return await _page(context, "events page", request)


async def _page(context: WebContext, what: str, request: Request, number: int | None = None) -> Response:
    fields = dict(request.query_params) | ({"number": str(number)} if number else {})
    view, person, journal = context.view(), caller(request), str(journal_path(context))
    facts = TableFacts(len(view.seats), shift_began(context.report_settings().calendar, time.time()))
    question = WorkerQuestion(what, journal, fields, view.table, person, facts=facts)
    return http_response(await context.worker(question))


def shift_began(calendar: Calendar, at: float) -> int:
    """When the shift of this time began, in seconds of Unix time."""
    shifts = calendar.shifts_of(calendar.day_of(at))
    return int(next(shift.begins for shift in shifts if shift.holds(at)))


def _query_fields(query: JournalQuery) -> dict[str, str]:
    """The fields as text."""
    return {name: str(value) for name, value in query.model_dump(exclude_none=True).items()}
