"""A meter of a jackpot is corrected by two persons: one asks, another one grants it."""

from typing import Annotated

from fastapi import FastAPI, Path, Request
from pydantic import Field

from controller.access.people import Person
from controller.monitor.api.requests import latest
from controller.monitor.api.sending import UNSAID, Perhaps, Token, Told, Why, foresee, say, serves
from controller.monitor.authorization import caller
from controller.monitor.context import Parts
from controller.table.people.supervisor_commands import MOST_CENTS
from controller.table.record.events import Asked, MeterCorrection
from controller.table.record.preview import Preview
from controller.table.record.views import RequestView

Spot = Annotated[str, Path(max_length=40)]
Cents = Annotated[int, Field(ge=1, le=MOST_CENTS)]


class Shown(Told):
    """What the jackpot would show; a reason may be missing."""

    cents: Cents
    why: Perhaps = UNSAID


class Amount(Told):
    """What the jackpot is to show. `token`: that of the preview."""

    cents: Cents
    why: Why
    token: Token = ""


def add(app: FastAPI, parts: Parts) -> None:
    """Adds the corrections."""

    @app.post(
        "/api/v1/meters/{spot}",
        status_code=201,
        summary="Ask for the correction of a meter",
        **serves("supervisor"),
    )
    async def meter(spot: Spot, amount: Amount, request: Request) -> RequestView:
        """It is done once another supervisor has granted the request. 409 says why it cannot be now."""
        asked = _asked(caller(request), spot, amount)
        await say(parts, asked)
        return latest(parts, asked)

    @app.post(
        "/api/v1/meters/{spot}/preview",
        summary="What the correction of a meter would do",
        **serves("supervisor"),
    )
    async def preview(spot: Spot, shown: Shown, request: Request) -> Preview:
        """What would be different, and the `token` that the correction has to carry."""
        return foresee(parts, _asked(caller(request), spot, Amount(cents=shown.cents, why=UNSAID)))


def _asked(person: Person, spot: str, amount: Amount) -> Asked:
    word = MeterCorrection(spot, amount.cents, person.name, "", amount.why, True, amount.token)
    return Asked("meter", person.name, person.role, amount.why, meter=word)
