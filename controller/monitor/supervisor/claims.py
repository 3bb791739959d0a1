"""The steps of a jackpot claim: who has taken each step, and who may take the next one."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from controller.jackpot import Step
from controller.jackpot.claims import MOVES
from controller.table.record.views import ClaimView, TableView
from controller.text.characters import same_name

StepState = Literal["done", "next", "later"]


@dataclass(frozen=True, slots=True)
class StepWords:
    """The texts of a step. `signer`: who takes it; `effect`: what it means; `field`: the field of ClaimView
    with the person who took it; `reasons`: common reasons to choose from."""

    title: str
    signer: str
    effect: str
    button: str
    field: str
    reasons: tuple[str, ...]


STEP_WORDS: Mapping[str, StepWords] = {
    "confirm": StepWords(
        "Hand confirmed", "the dealer", "The hand is as the page says.", "Confirm", "dealer", ("Seen",)
    ),
    "verify": StepWords(
        "Verified",
        "a supervisor who is not the dealer",
        "Cards, stake and time are as the slip says.",
        "Verify",
        "supervisor",
        ("Cards and stake seen on camera", "Cards seen on the table"),
    ),
    "second": StepWords(
        "Verified by another person",
        "a third person",
        "It is so much that one supervisor is not enough.",
        "Verify as second",
        "second",
        ("Cards and stake seen on camera", "Cards seen on the table"),
    ),
    "pay": StepWords(
        "Paid by hand",
        "who hands it over",
        "The amount leaves the meter, and the claim is closed.",
        "Paid",
        "payer",
        ("Paid in cash", "Paid by cheque"),
    ),
    "void": StepWords(
        "Void",
        "anybody but the dealer who confirmed it",
        "The amount is played for again.",
        "Void the claim",
        "voided_by",
        ("The wager was not there", "The hand was misread"),
    ),
}
STEP_ORDER: tuple[Step, ...] = ("confirm", "verify", "second", "pay")


@dataclass(frozen=True, slots=True)
class StepRow:
    """One step of a claim. `who`: the person who took it, or empty; `barred`: people who may not take it."""

    step: Step
    state: StepState
    who: str
    words: StepWords
    barred: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ClaimSteps:
    """A claim with its steps. `barred_from_voiding`: people who may not void it; None if it cannot be
    voided."""

    claim: ClaimView
    steps: tuple[StepRow, ...]
    barred_from_voiding: tuple[str, ...] | None


@dataclass(frozen=True, slots=True)
class ClaimsPanel:
    """Open claims with their steps, and the last closed claims, newest first."""

    open: tuple[ClaimSteps, ...]
    closed: tuple[ClaimView, ...]


def claims_panel(view: TableView) -> ClaimsPanel:
    """The claims that the view has."""
    return ClaimsPanel(
        tuple(_claim_steps(claim) for claim in view.claims if claim.steps),
        tuple(claim for claim in view.claims if not claim.steps),
    )


def bar_reason(claim: ClaimView, step: str, who: str) -> str:
    """Why this person may not take the step, in a sentence; empty if they may."""
    for name in _earlier_signers(claim, step):
        if same_name(name, who):
            return f"{who} has signed claim {claim.number} before: this step needs {STEP_WORDS[step].signer}"
    return ""


def _claim_steps(claim: ClaimView) -> ClaimSteps:
    steps = (step for step in STEP_ORDER if step != "second" or claim.by_two or claim.second)
    barred_from_voiding = _earlier_signers(claim, "void") if "void" in claim.steps else None
    return ClaimSteps(claim, tuple(_step_row(claim, step) for step in steps), barred_from_voiding)


def _step_row(claim: ClaimView, step: Step) -> StepRow:
    who: str = getattr(claim, STEP_WORDS[step].field)
    state: StepState = "done" if who else "next" if step in claim.steps else "later"
    return StepRow(step, state, who, STEP_WORDS[step], _earlier_signers(claim, step))


def _earlier_signers(claim: ClaimView, step: str) -> tuple[str, ...]:
    """People who took an earlier step, and therefore may not take this one, as MOVES says."""
    roles = next((move.apart for move in MOVES if (move.step, move.source) == (step, claim.state)), ())
    return tuple(name for role in roles if (name := getattr(claim, role)))
