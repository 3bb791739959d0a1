"""Acknowledging the floor's own alerts."""

from typing import Annotated

from fastapi import APIRouter, HTTPException, Path

from controller.access.people import Person
from controller.floor.approvals.acts import NotActing
from controller.floor.pages.context import Context, FloorContext, TableName
from controller.floor.pages.rendering import ACKNOWLEDGING
from controller.floor.store_file import StoreError
from controller.journal.errors import JournalError
from controller.monitor.api.sending import Problem
from controller.monitor.authorization import Actor, for_roles, with_responses
from controller.socket.texts import Reason, RequestModel
from controller.table.people.supervisor_commands import MOST_NUMBER


class AcknowledgeBody(RequestModel):
    """`why`: what the person found, or did about it."""

    why: Reason


Number = Annotated[int, Path(ge=1, le=MOST_NUMBER, description="The number of the alert or the request")]
RESPONSES = {
    409: {"model": Problem, "description": "The alert does not exist, or it is acknowledged already"},
    503: {"model": Problem, "description": "The floor cannot write its own journal now"},
}
ACKNOWLEDGING_ROUTE = with_responses(for_roles(*ACKNOWLEDGING), RESPONSES)
router = APIRouter()


@router.post(
    "/api/v1/floor/tables/{table}/alerts/{number}/acknowledgement",
    status_code=204,
    summary="Acknowledge an alert of the floor about a table",
    **ACKNOWLEDGING_ROUTE,
)
async def about_table(
    table: TableName, number: Number, body: AcknowledgeBody, session: Actor, context: Context
) -> None:
    """The table's own alerts have another path."""
    await _acknowledge(context, table, number, session.person, body.why)


@router.post(
    "/api/v1/floor/alerts/{number}/acknowledgement",
    status_code=204,
    summary="Acknowledge an alert about the floor itself",
    **ACKNOWLEDGING_ROUTE,
)
async def about_floor(number: Number, body: AcknowledgeBody, session: Actor, context: Context) -> None:
    """Such an alert belongs to no table."""
    await _acknowledge(context, "", number, session.person, body.why)


async def _acknowledge(context: FloorContext, table: str, number: int, person: Person, why: str) -> None:
    try:
        await context.alerts.acknowledge(table, number, person, why)
    except LookupError as error:
        raise HTTPException(409, str(error.args[0])) from None
    except (StoreError, NotActing, JournalError) as error:
        raise HTTPException(503, str(error)) from None
    context.look()
