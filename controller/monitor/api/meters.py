"""A meter of a jackpot is corrected by two persons: one asks, another one grants it."""

from typing import Annotated

from fastapi import FastAPI, Path, Request
from pydantic import Field

from controller.monitor.api.requests import latest
from controller.monitor.api.saying import Told, Why, say, serves
from controller.monitor.gate import caller
from controller.monitor.parts import Parts
from controller.table.events import Asked, MeterCorrection
from controller.table.request_view import RequestView
from controller.table.spoken import MOST_CENTS


class Amount(Told):
    """What the jackpot is to show."""

    cents: Annotated[int, Field(ge=1, le=MOST_CENTS)]
    why: Why


def add(app: FastAPI, parts: Parts) -> None:
    """Adds the corrections."""

    @app.post(
        "/api/v1/meters/{spot}",
        status_code=201,
        summary="Ask for the correction of a meter",
        **serves("supervisor"),
    )
    async def meter(
        spot: Annotated[str, Path(max_length=40)], amount: Amount, request: Request
    ) -> RequestView:
        """It is done once another supervisor has granted the request. 409 says why it cannot be now."""
        person = caller(request)
        word = MeterCorrection(spot, amount.cents, person.name, "", amount.why, signed_in=True)
        asked = Asked("meter", person.name, person.role, amount.why, meter=word)
        await say(parts, asked)
        return latest(parts, asked)
