"""The routes of the forms, which a page opens. A form is rendered when it is opened, and not updated. Status
404: it is not possible now."""

from collections.abc import Callable
from typing import Final, Literal

from fastapi import APIRouter, HTTPException, Request
from fastapi.responses import HTMLResponse

from controller.access.people import Person
from controller.floor.pages.commanding import SUPERVISORS
from controller.floor.pages.context import Context, FloorContext, TableName
from controller.floor.pages.forms import ROOT, alert_form, answer_form, plain_form
from controller.floor.pages.rendering import ACKNOWLEDGING, environment
from controller.floor.tables.tile import Tile, TileAlert
from controller.monitor.authorization import caller, for_roles
from controller.monitor.supervisor.form import Form

TABLE: Final = f"{ROOT}/tables/{{table}}"
SUPERVISOR_ROUTE: Final = for_roles(*SUPERVISORS)
ACKNOWLEDGING_ROUTE: Final = for_roles(*ACKNOWLEDGING)
router = APIRouter()


@router.get(f"{TABLE}/request/{{number}}/{{answer}}", include_in_schema=False, **SUPERVISOR_ROUTE)
async def answer(
    context: Context, request: Request, table: TableName, number: int, answer: str
) -> HTMLResponse:
    person = caller(request)
    _check_acts(context)
    return _rendered(person, lambda: answer_form(context.commands, table, number, answer, person))


@router.get(f"{TABLE}/{{command}}", include_in_schema=False, **SUPERVISOR_ROUTE)
async def plain(
    context: Context, request: Request, table: TableName, command: Literal["message", "close"]
) -> HTMLResponse:
    _check_acts(context)
    return _rendered(caller(request), lambda: plain_form(table, command))


@router.get(f"{TABLE}/own-alert/{{number}}", include_in_schema=False, **ACKNOWLEDGING_ROUTE)
async def own_alert(context: Context, request: Request, table: TableName, number: int) -> HTMLResponse:
    _check_acts(context)
    tile = context.view.tile(table)
    return _rendered(caller(request), lambda: alert_form(table, _own_alert(tile, number)))


@router.get(f"{TABLE}/alert/{{number}}", include_in_schema=False, **ACKNOWLEDGING_ROUTE)
async def about_table(context: Context, request: Request, table: TableName, number: int) -> HTMLResponse:
    alerts = context.alerts
    return _rendered(caller(request), lambda: alert_form(table, alerts.open_alert(table, number)))


@router.get(f"{ROOT}/alert/{{number}}", include_in_schema=False, **ACKNOWLEDGING_ROUTE)
async def about_floor(context: Context, request: Request, number: int) -> HTMLResponse:
    return _rendered(caller(request), lambda: alert_form("", context.alerts.open_alert("", number)))


def _check_acts(context: FloorContext) -> None:
    """Raises HTTPException 404: a form for a command that could not be sent would only take time."""
    context.look()
    if not context.view.house.standing.acts:
        raise HTTPException(404, f"nothing can be sent: {context.view.house.standing.why}")


def _own_alert(tile: Tile | None, number: int) -> TileAlert:
    """Raises LookupError."""
    for alert in tile.alerts if tile else ():
        if (alert.source, alert.number) == ("table", number):
            return alert
    raise LookupError(f"the table has no open alert {number}")


def _rendered(person: Person, make: Callable[[], Form]) -> HTMLResponse:
    try:
        found = make()
    except LookupError as absent:
        raise HTTPException(404, str(absent)) from None
    template = environment().get_template("supervisor/form.html")
    return HTMLResponse(template.render(form=found, person=person))
