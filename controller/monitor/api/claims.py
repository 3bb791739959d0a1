"""Claims of jackpots: each person takes the step that is theirs."""

from fastapi import FastAPI, HTTPException, Request

from controller.access.people import Person
from controller.jackpot import Step
from controller.monitor.api.sending import (
    Number,
    Reason,
    RequestModel,
    Token,
    decision_route,
    preview_of,
    send,
)
from controller.monitor.authorization import caller
from controller.monitor.context import WebContext
from controller.table.record.events import ClaimStep
from controller.table.record.preview import Preview

STEPS: dict[str, frozenset[Step]] = {
    "dealer": frozenset({"confirm"}),
    "supervisor": frozenset({"verify", "second", "pay", "void"}),
}


class StepBody(RequestModel):
    """A step, and why. `token`: that of its preview."""

    step: Step
    why: Reason
    token: Token = ""


def add(app: FastAPI, parts: WebContext) -> None:
    """Adds the steps of claims."""

    @app.post(
        "/api/v1/claims/{number}/steps",
        status_code=204,
        summary="A claim of a jackpot goes a step on",
        **decision_route("dealer", "supervisor"),
    )
    async def steps(number: Number, body: StepBody, request: Request) -> None:
        """The dealer confirms the hand (`confirm`), a supervisor verifies it (`verify`), above an amount
        another one too (`second`); then it is paid (`pay`). 409 says which steps and which persons the claim
        allows now."""
        person = caller(request)
        _check(person, body.step)
        step = ClaimStep(number, body.step, person.name, body.why, signed_in=True, token=body.token)
        await send(parts, step)

    @app.get(
        "/api/v1/claims/{number}/steps/{step}/preview",
        summary="What a step of a claim would do",
        **decision_route("dealer", "supervisor"),
    )
    async def preview(number: Number, step: Step, request: Request) -> Preview:
        """Sentences, what would be different, and the `token` that the step has to carry."""
        return preview_of(parts, ClaimStep(number, step, caller(request).name, "", signed_in=True))


def _check(person: Person, step: Step) -> None:
    allowed = STEPS[person.role]
    if step not in allowed:
        known = ", ".join(sorted(allowed))
        raise HTTPException(403, f"{person.name} is {person.role}: {step} is not theirs; allowed: {known}")
