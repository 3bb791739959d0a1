"""How a word goes from a request to the table, and what is answered where it is refused."""

from collections.abc import Callable
from typing import Annotated, Any, TypeVar

from fastapi import HTTPException, Path
from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel, BeforeValidator, ConfigDict, StringConstraints
from pydantic_core import PydanticCustomError

from controller.access.people import Role
from controller.monitor.authorization import for_roles
from controller.monitor.context import DecisionDesk, WebContext
from controller.table.errors import NotAllowed
from controller.table.people.supervisor_commands import MOST_NUMBER, MOST_TEXT, Fields
from controller.table.record.events import Decision
from controller.table.record.preview import Preview
from controller.text.characters import character_fault


def _visible(text: object) -> object:
    """A text without characters that cannot be seen; raises PydanticCustomError with a sentence."""
    if isinstance(text, str) and (why := character_fault(text.strip())):
        raise PydanticCustomError(
            "character", "not allowed: {why}; allowed: text that can be seen", {"why": why}
        )
    return text


Text = Annotated[str, BeforeValidator(_visible)]
LINE = r"^[^\x00-\x1f\x7f]*$"
NONEMPTY_LINE = r"^[^\x00-\x1f\x7f]*[^\s\x00-\x1f\x7f][^\x00-\x1f\x7f]*$"

Reason = Annotated[
    Text, StringConstraints(strip_whitespace=True, max_length=MOST_TEXT, pattern=NONEMPTY_LINE)
]
OptionalReason = Annotated[Text, StringConstraints(strip_whitespace=True, max_length=MOST_TEXT, pattern=LINE)]
Number = Annotated[int, Path(ge=1, le=MOST_NUMBER)]
Token = Annotated[str, StringConstraints(max_length=MOST_TEXT, pattern=LINE)]
"""That of the preview; a decision without it is refused (409)."""
PREVIEW_REASON = "preview"
"""Stands for the reason in a preview, which does not depend on it."""
DecisionType = TypeVar("DecisionType", bound=Decision)


class RequestModel(BaseModel):
    """The body of a request: nothing but what is asked for."""

    model_config = ConfigDict(extra="forbid", strict=True)


class Problem(BaseModel):
    """Why it was not done, in a sentence."""

    detail: str


REFUSAL_RESPONSES: dict[int | str, dict[str, Any]] = {
    400: {"model": Problem, "description": "The body is no JSON"},
    409: {
        "model": Problem,
        "description": "The table refuses, and says why: also what has changed since the preview",
    },
    503: {"model": Problem, "description": "Nothing can be said here"},
}


def decision_route(*roles: Role) -> dict[str, Any]:
    """`only`, for a route by which people speak to the table."""
    guarded = for_roles(*roles)
    return guarded | {"responses": {**guarded["responses"], **REFUSAL_RESPONSES}}


async def send(parts: WebContext, decision: Decision) -> None:
    """Returns when it is on disk and done; raises HTTPException 409 with the table's own words."""
    try:
        await _handler(parts).decide(decision)
    except NotAllowed as refused:
        raise HTTPException(409, str(refused)) from None


def preview_of(parts: WebContext, decision: Decision) -> Preview:
    """What it would do; raises HTTPException 409 with the table's own words."""
    try:
        return _handler(parts).preview(decision)
    except NotAllowed as refused:
        raise HTTPException(409, str(refused)) from None


def parsed(read: Callable[[Fields], DecisionType], fields: Fields) -> DecisionType:
    """A word as the supervisor's socket reads it; raises RequestValidationError with the same words."""
    try:
        return read(fields)
    except NotAllowed as wrong:
        fault = {"type": "value_error", "loc": ("body",), "msg": str(wrong), "input": None}
        raise RequestValidationError([fault]) from None


def _handler(parts: WebContext) -> DecisionDesk:
    if parts.decisions is None:
        raise HTTPException(503, "there is no table here to speak to")
    return parts.decisions
