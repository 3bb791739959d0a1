"""Slips over HTTP, made by worker processes."""

from typing import Annotated

from fastapi import APIRouter
from fastapi import Path as Place
from fastapi.responses import Response

from controller.monitor.authorization import for_roles
from controller.monitor.context import Context
from controller.monitor.past.asking import answer_from_worker
from controller.past.slips.style import policy

router = APIRouter()


@router.get("/claims/{number}/slip", include_in_schema=False, **for_roles("supervisor", "auditor"))
async def claim_slip(context: Context, number: Annotated[int, Place(ge=1, le=1 << 53)]) -> Response:
    """404: the journal does not have the claim; 503: it cannot be read."""
    house = context.house().letterhead
    fields = {"number": str(number), "house": house.name, "logo": house.logo}
    answer = await answer_from_worker(context, "slip", fields)
    answer.headers["Content-Security-Policy"] = policy()
    return answer
