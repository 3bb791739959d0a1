"""The page of the floor supervisor, and the forms that it opens. Auditors see the same without a button."""

from collections.abc import Callable
from typing import Annotated

from fastapi import FastAPI, HTTPException, Query, Request
from fastapi.responses import HTMLResponse

from controller.monitor.authorization import caller, only
from controller.monitor.context import Parts
from controller.monitor.live import page_routes
from controller.monitor.live.pages import FELT, Page, Panel
from controller.monitor.live.renderer import templates
from controller.monitor.supervisor import request_forms
from controller.monitor.supervisor.claims import claims
from controller.monitor.supervisor.decision_buttons import deciding
from controller.monitor.supervisor.decision_forms import decision
from controller.monitor.supervisor.form import Form
from controller.monitor.supervisor.requests import approvals
from controller.monitor.supervisor.tile import tile

SUPERVISOR = Page(
    path="/supervisor",
    events="/supervisor/events",
    template="supervisor.html",
    panels=(
        Panel("tile", look=tile),
        Panel("ruling", look=deciding),
        Panel("approvals", look=approvals),
        Panel("claim-steps", look=claims),
        Panel("alarms", ("alarms", "acknowledged")),
        FELT,
    ),
    ages=True,
)
ACTS = only("supervisor")


def add(app: FastAPI, parts: Parts) -> None:
    """Adds the page, its events, and its forms."""
    page_routes.add(app, parts, SUPERVISOR, only("supervisor", "auditor"))
    _add_forms(app, parts)


def _add_forms(app: FastAPI, parts: Parts) -> None:
    """Each is drawn when it is opened, and left alone then; 404: there is nothing to be said so now."""

    @app.get("/supervisor/forms/decision/{choice}", include_in_schema=False, **ACTS)
    async def decides(choice: str, of: Annotated[int, Query(ge=0)] = 0) -> HTMLResponse:
        return _drawn(lambda: decision(parts.view(), choice, of))

    @app.get("/supervisor/forms/request/{number}/{answer}", include_in_schema=False, **ACTS)
    async def answered(request: Request, number: int, answer: str) -> HTMLResponse:
        return _drawn(lambda: request_forms.request(parts.view(), number, answer, caller(request)))

    @app.get("/supervisor/forms/claim/{number}/{step}", include_in_schema=False, **ACTS)
    async def claimed(request: Request, number: int, step: str) -> HTMLResponse:
        return _drawn(lambda: request_forms.claim(parts.view(), number, step, caller(request)))

    @app.get("/supervisor/forms/meter/{spot}", include_in_schema=False, **ACTS)
    async def metered(spot: str) -> HTMLResponse:
        return _drawn(lambda: request_forms.meter(parts.view(), spot))


def _drawn(form: Callable[[], Form]) -> HTMLResponse:
    try:
        found = form()
    except LookupError as absent:
        raise HTTPException(404, str(absent)) from None
    return HTMLResponse(templates().get_template("supervisor/form.html").render(form=found))
