"""The steps of jackpot claims."""

from typing import Annotated

from fastapi import APIRouter, Path

from controller.jackpot import Step
from controller.monitor.api.sending import (
    ConfirmedBody,
    Number,
    act,
    decision_route,
    fields_of,
    preview_of,
)
from controller.monitor.authorization import Actor
from controller.monitor.context import Context
from controller.socket.messages import StepBody
from controller.table.record.preview import Preview

router = APIRouter()
StepName = Annotated[Step, Path(description="The step of the claim")]


class ConfirmedStepBody(StepBody, ConfirmedBody):
    """`token`: that of the preview."""


@router.post(
    "/api/v1/claims/{number}/steps",
    status_code=204,
    summary="Take a claim one step further",
    **decision_route("dealer", "supervisor", confirmed=True),
)
async def steps(number: Number, body: ConfirmedStepBody, session: Actor, context: Context) -> None:
    """The dealer confirms the hand (`confirm`), and a supervisor verifies it (`verify`). A large claim
    needs a second supervisor (`second`). Then the claim is paid (`pay`). 409: the claim does not allow this
    step now, or not by this person."""
    await act(context, session, {"step": fields_of(body, claim=number)}, body.confirm)


@router.get(
    "/api/v1/claims/{number}/steps/{step}/preview",
    summary="Preview a step of a claim",
    **decision_route("dealer", "supervisor"),
)
async def preview(number: Number, step: StepName, session: Actor, context: Context) -> Preview:
    """What the step would do, and the `token` that it must carry."""
    return await preview_of(context, session, {"step": {"claim": number, "step": step}})
