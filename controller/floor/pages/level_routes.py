"""The page of a linked progressive: its last hits, and what two persons decided about it."""

import asyncio
import sqlite3
from dataclasses import dataclass
from typing import Annotated, Final

from fastapi import APIRouter, HTTPException, Path, Request
from fastapi.responses import HTMLResponse

from controller.floor.pages.context import FLOOR, Context, FloorContext, links_for
from controller.floor.pages.forms import API
from controller.floor.pages.people import FLOOR_ROLES
from controller.floor.pages.rendering import environment
from controller.floor.pages.words import level_faces
from controller.floor.past.settings import PastSettings
from controller.floor.reconciliation.ledger import LedgerAct, LedgerClaim, LedgerReader
from controller.floor.store_file import StoreError
from controller.monitor.api.sending import Problem
from controller.monitor.authorization import caller, for_readers, for_roles, with_responses
from controller.property.subjects import NAME

MOST_SHOWN: Final = 25
"""Hits and acts, the newest ones."""
NOT_READ: Final = "the floor has not read the logs of the linked progressives yet"
RESPONSES: Final = {503: {"model": Problem, "description": "The floor has not read the log yet"}}
router = APIRouter()
LevelName = Annotated[
    str, Path(pattern=f"^{NAME.pattern}$", description="The name of the linked progressive")
]


@dataclass(frozen=True, slots=True)
class LevelRecord:
    """What the log of a level says, newest first. Money in cents, times in seconds of Unix time. `currency`:
    the code of the currency of all cents, empty if the level names none."""

    level: str
    currency: str
    hits: tuple[LedgerClaim, ...]
    acts: tuple[LedgerAct, ...]


@router.get(f"{FLOOR}/levels/{{level}}", include_in_schema=False, **for_roles(*FLOOR_ROLES))
async def page(context: Context, request: Request, level: LevelName) -> HTMLResponse:
    record, person = await _record(context, level), caller(request)
    faces = level_faces(context.view.all(), context.view.house.jackpots)
    template = environment().get_template("floor/level.html")
    return HTMLResponse(
        template.render(
            table=context.place.name(),
            person=person,
            ways=links_for(person),
            here=FLOOR,
            record=record,
            level=next(face for face in faces if face.name == level),
            calendar=_past(context).calendar,
        )
    )


@router.get(
    f"{API}/levels/{{level}}",
    summary="One linked progressive",
    **with_responses(for_readers(*FLOOR_ROLES), RESPONSES),
)
async def as_json(context: Context, level: LevelName) -> LevelRecord:
    """Its last hits, and what two persons decided about it. 404: it is not a level of this floor."""
    return await _record(context, level)


async def _record(context: FloorContext, level: str) -> LevelRecord:
    """Raises HTTPException 404 and 503."""
    context.look()
    known = [jackpot.level for jackpot in context.view.house.jackpots]
    if level not in known:
        allowed = ", ".join(known) or "none"
        raise HTTPException(404, f"level {level!r}: not a level of this floor; allowed: {allowed}")
    try:
        return await asyncio.to_thread(_read, _past(context), level)
    except (StoreError, sqlite3.Error) as error:
        raise HTTPException(503, f"{NOT_READ}: {error}") from None


def _past(context: FloorContext) -> PastSettings:
    """Raises HTTPException 503."""
    if context.past is None:
        raise HTTPException(503, NOT_READ)
    return context.past


def _read(past: PastSettings, level: str) -> LevelRecord:
    """Raises StoreError, sqlite3.Error."""
    with LedgerReader(past.stores) as ledger:
        hits, acts = ledger.last_claims(level, MOST_SHOWN), ledger.last_acts(level, MOST_SHOWN)
        currency = ledger.place(level).currency
    return LevelRecord(level, currency, tuple(hits), tuple(acts))
