"""The steps of jackpot claims."""

from fastapi import APIRouter, HTTPException

from controller.access.people import Person
from controller.jackpot import Step
from controller.monitor.api.sending import Number, decision_route, preview_of, send
from controller.monitor.authorization import Caller
from controller.monitor.context import Context
from controller.socket.messages import StepBody
from controller.table.record.events import ClaimStep
from controller.table.record.preview import Preview

STEPS: dict[str, frozenset[Step]] = {
    "dealer": frozenset({"confirm"}),
    "supervisor": frozenset({"verify", "second", "pay", "void"}),
}
router = APIRouter()


@router.post(
    "/api/v1/claims/{number}/steps",
    status_code=204,
    summary="Take a claim one step further",
    **decision_route("dealer", "supervisor"),
)
async def steps(number: Number, body: StepBody, person: Caller, context: Context) -> None:
    """The dealer confirms the hand (`confirm`), and a supervisor verifies it (`verify`). A large claim
    needs a second supervisor (`second`). Then the claim is paid (`pay`). 409: the claim does not allow this
    step now, or not by this person."""
    _check_role(person, body.step)
    step = ClaimStep(number, body.step, person.name, body.why, signed_in=True, token=body.token)
    await send(context, step)


@router.get(
    "/api/v1/claims/{number}/steps/{step}/preview",
    summary="Preview a step of a claim",
    **decision_route("dealer", "supervisor"),
)
async def preview(number: Number, step: Step, person: Caller, context: Context) -> Preview:
    """What the step would do, and the `token` that it must carry."""
    return preview_of(context, ClaimStep(number, step, person.name, "", signed_in=True))


def _check_role(person: Person, step: Step) -> None:
    allowed = STEPS[person.role]
    if step not in allowed:
        known = ", ".join(sorted(allowed))
        raise HTTPException(403, f"{person.name} is {person.role}: {step} is not allowed; allowed: {known}")
