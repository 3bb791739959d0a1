"""The floor supervisor's page, and the forms that it opens. Auditors see the page without buttons."""

from collections.abc import Callable
from typing import Annotated

from fastapi import APIRouter, FastAPI, HTTPException, Query, Request
from fastapi.responses import HTMLResponse

from controller.access.people import Person
from controller.monitor.authorization import caller, for_roles
from controller.monitor.context import Context, WebContext
from controller.monitor.live import page_routes
from controller.monitor.live.pages import FELT, Page, Panel
from controller.monitor.live.renderer import templates
from controller.monitor.supervisor import request_forms
from controller.monitor.supervisor.claims import claims_panel
from controller.monitor.supervisor.decision_buttons import decisions_panel
from controller.monitor.supervisor.decision_forms import decision_form
from controller.monitor.supervisor.form import Form
from controller.monitor.supervisor.requests import requests_panel
from controller.monitor.supervisor.tile import tile

SUPERVISOR = Page(
    path="/supervisor",
    events="/supervisor/events",
    template="supervisor.html",
    panels=(
        Panel("tile", content=tile),
        Panel("ruling", content=decisions_panel),
        Panel("approvals", content=requests_panel),
        Panel("claim-steps", content=claims_panel),
        Panel("books", ("meters",)),
        Panel("alarms", ("alarms", "acknowledged")),
        FELT,
    ),
    time_dependent=True,
)
ACTING_ROUTE = for_roles("supervisor")
router = APIRouter()
"""The forms. Each is rendered when it is opened, and not updated. Status 404: it is not possible now."""


def add(app: FastAPI, context: WebContext) -> None:
    """Adds the page and its stream."""
    page_routes.add(app, context, SUPERVISOR, for_roles("supervisor", "auditor"))


@router.get("/supervisor/forms/decision/{choice}", include_in_schema=False, **ACTING_ROUTE)
async def decision(
    context: Context, request: Request, choice: str, of: Annotated[int, Query(ge=0)] = 0
) -> HTMLResponse:
    return _rendered(request, lambda _person: decision_form(context.view(), choice, of))


@router.get("/supervisor/forms/request/{number}/{answer}", include_in_schema=False, **ACTING_ROUTE)
async def answer(context: Context, request: Request, number: int, answer: str) -> HTMLResponse:
    return _rendered(
        request, lambda person: request_forms.answer_form(context.view(), number, answer, person)
    )


@router.get("/supervisor/forms/claim/{number}/{step}", include_in_schema=False, **ACTING_ROUTE)
async def claim_step(context: Context, request: Request, number: int, step: str) -> HTMLResponse:
    return _rendered(request, lambda person: request_forms.claim_form(context.view(), number, step, person))


@router.get("/supervisor/forms/meter/{spot}", include_in_schema=False, **ACTING_ROUTE)
async def meter(context: Context, request: Request, spot: str) -> HTMLResponse:
    return _rendered(request, lambda _person: request_forms.meter_form(context.view(), spot))


def _rendered(request: Request, make: Callable[[Person], Form]) -> HTMLResponse:
    """The form for the person who asks for it."""
    person = caller(request)
    try:
        found = make(person)
    except LookupError as absent:
        raise HTTPException(404, str(absent)) from None
    return HTMLResponse(templates().get_template("supervisor/form.html").render(form=found, person=person))
