"""How routes pass a person's decision to the table, and how they answer a refusal."""

from collections.abc import Callable
from typing import Annotated, Any, TypeVar

from fastapi import HTTPException, Path
from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel

from controller.access.people import Role
from controller.monitor.authorization import for_roles
from controller.monitor.context import DecisionDesk, WebContext
from controller.table.errors import NotAllowed
from controller.table.people.supervisor_commands import MOST_NUMBER, Fields
from controller.table.record.events import Decision
from controller.table.record.preview import Preview

Number = Annotated[int, Path(ge=1, le=MOST_NUMBER)]
DecisionType = TypeVar("DecisionType", bound=Decision)


class Problem(BaseModel):
    """A sentence that says why nothing was done."""

    detail: str


REFUSAL_RESPONSES: dict[int | str, dict[str, Any]] = {
    400: {"model": Problem, "description": "The body is not JSON"},
    409: {
        "model": Problem,
        "description": "The table refuses and says why, for example what has changed since the preview",
    },
    503: {"model": Problem, "description": "No table takes decisions here"},
}


def decision_route(*roles: Role) -> dict[str, Any]:
    """`for_roles`, for a route that passes a decision to the table."""
    guarded = for_roles(*roles)
    return guarded | {"responses": {**guarded["responses"], **REFUSAL_RESPONSES}}


async def send(context: WebContext, decision: Decision) -> None:
    """Return when the decision is on disk and applied. Raises HTTPException 409 with the table's reason."""
    try:
        await _desk(context).decide(decision)
    except NotAllowed as refused:
        raise HTTPException(409, str(refused)) from None


def preview_of(context: WebContext, decision: Decision) -> Preview:
    """What the decision would do. Raises HTTPException 409 with the table's reason."""
    try:
        return _desk(context).preview(decision)
    except NotAllowed as refused:
        raise HTTPException(409, str(refused)) from None


def parsed(read: Callable[[Fields], DecisionType], fields: Fields) -> DecisionType:
    """The decision, read as the supervisor's socket reads it. Raises RequestValidationError."""
    try:
        return read(fields)
    except NotAllowed as wrong:
        fault = {"type": "value_error", "loc": ("body",), "msg": str(wrong), "input": None}
        raise RequestValidationError([fault]) from None


def _desk(context: WebContext) -> DecisionDesk:
    if context.decisions is None:
        raise HTTPException(503, "no table takes decisions here")
    return context.decisions
