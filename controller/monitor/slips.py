"""Slips over HTTP: the journal is read in a thread, so that the table's loop goes on."""

import asyncio
from pathlib import Path
from typing import Annotated

from fastapi import FastAPI, HTTPException
from fastapi import Path as Place
from fastapi.responses import HTMLResponse

from controller.journal.errors import JournalError
from controller.slip.found import NoClaim, slip
from controller.slip.page import page, policy


def add(app: FastAPI, journal: Path) -> None:
    """Adds the slips of this journal's claims."""

    @app.get("/claims/{number}/slip", include_in_schema=False)
    async def claim_slip(number: Annotated[int, Place(ge=1, le=1 << 53)]) -> HTMLResponse:
        """404: there is no such claim; 503: the journal cannot be read."""
        try:
            found = await asyncio.to_thread(lambda: page(slip(journal, number)))
        except NoClaim as error:
            raise HTTPException(404, str(error)) from None
        except JournalError as error:
            raise HTTPException(503, str(error)) from None
        return HTMLResponse(found, headers={"Content-Security-Policy": policy()})
