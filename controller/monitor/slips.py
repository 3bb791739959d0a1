"""Slips over HTTP: the journal is read in a thread, so that the table's loop goes on."""

import asyncio
from typing import Annotated

from fastapi import FastAPI, HTTPException
from fastapi import Path as Place
from fastapi.responses import HTMLResponse

from controller.journal.errors import JournalError
from controller.monitor.gate import only
from controller.monitor.parts import Parts, past
from controller.slip.found import NoClaim, slip
from controller.slip.page import page, policy


def add(app: FastAPI, parts: Parts) -> None:
    """Adds the slips of the journal's claims."""

    @app.get("/claims/{number}/slip", include_in_schema=False, **only("supervisor", "auditor"))
    async def claim_slip(number: Annotated[int, Place(ge=1, le=1 << 53)]) -> HTMLResponse:
        """404: there is no such claim; 503: the journal cannot be read."""
        try:
            found = await asyncio.to_thread(lambda: page(slip(past(parts), number)))
        except NoClaim as error:
            raise HTTPException(404, str(error)) from None
        except JournalError as error:
            raise HTTPException(503, str(error)) from None
        return HTMLResponse(found, headers={"Content-Security-Policy": policy()})
