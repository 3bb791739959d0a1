"""Significant events over HTTP: the journal is searched in a thread, so that the table's loop goes on."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated

from fastapi import FastAPI, HTTPException, Query

from controller.journal.errors import JournalError
from controller.monitor.gate import only
from controller.monitor.parts import Parts, past
from controller.significant.catalogue import CODES
from controller.significant.search import MOST, SignificantEvent, Wanted, search


@dataclass(frozen=True, slots=True)
class Found:
    """An answer; `more`: older ones may be had with `before` = the last one's row."""

    events: tuple[SignificantEvent, ...]
    more: bool


def add(app: FastAPI, parts: Parts) -> None:
    """Adds the search of the journal, and the list of codes."""

    @app.get(
        "/api/v1/significant-events",
        summary="Doors, faults, losses, corrections, wins: newest first",
        **only("supervisor", "technician", "auditor"),
    )
    async def significant_events(
        code: str = "",
        text: str = "",
        since: float = 0.0,
        until: float = 1e12,
        before: Annotated[int, Query(ge=1)] = 1 << 62,
        limit: Annotated[int, Query(ge=1, le=MOST)] = 50,
    ) -> Found:
        """Times are seconds of Unix time. 422 names a code that there is not; 503: the journal cannot be
        searched."""
        wanted = _checked(lambda: Wanted(code, text, since, until, before))
        try:
            found = await asyncio.to_thread(search, past(parts), wanted, limit)
        except JournalError as error:
            raise HTTPException(503, str(error)) from None
        return Found(tuple(found), len(found) == limit)

    @app.get(
        "/api/v1/significant-events/codes",
        summary="Every code, and what it stands for",
        **only("supervisor", "technician", "auditor"),
    )
    async def codes() -> dict[str, str]:
        return dict(CODES)


def _checked(wanted: Callable[[], Wanted]) -> Wanted:
    try:
        return wanted()
    except ValueError as error:
        raise HTTPException(422, str(error)) from None
