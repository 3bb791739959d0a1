"""A claim of a jackpot as steps: who has taken which, and who may take the next one."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from controller.jackpot import Step
from controller.jackpot.claims import MOVES
from controller.table.record.views import ClaimView, TableView
from controller.text.characters import same

At = Literal["done", "next", "later"]


@dataclass(frozen=True, slots=True)
class Words:
    """Of one step: what it is called, who takes it, what it does, what its button says."""

    title: str
    whose: str
    does: str
    do: str
    signs: str
    because: tuple[str, ...]


STEPS: Mapping[str, Words] = {
    "confirm": Words(
        "Hand confirmed", "the dealer", "The hand is as the page says.", "Confirm", "dealer", ("Seen",)
    ),
    "verify": Words(
        "Verified", "a supervisor who is not the dealer", "Cards, stake and time are as the slip says.",
        "Verify", "supervisor", ("Cards and stake seen on camera", "Cards seen on the table"),
    ),
    "second": Words(
        "Verified by another person", "a third person",
        "It is so much that one supervisor is not enough.", "Verify as second", "second",
        ("Cards and stake seen on camera", "Cards seen on the table"),
    ),
    "pay": Words(
        "Paid by hand", "who hands it over", "The amount leaves the meter, and the claim is closed.",
        "Paid", "payer", ("Paid in cash", "Paid by cheque"),
    ),
    "void": Words(
        "Void", "anybody but the dealer who confirmed it", "The amount is played for again.",
        "Void the claim", "voided_by", ("The wager was not there", "The hand was misread"),
    ),
}  # fmt: skip
COURSE: tuple[Step, ...] = ("confirm", "verify", "second", "pay")


@dataclass(frozen=True, slots=True)
class Stage:
    """One step of a claim: `who` took it, empty while nobody did; `barred` are those who may not."""

    step: Step
    at: At
    who: str
    words: Words
    barred: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Course:
    """A claim with its steps; `voids` are those who may not make it void, None: nobody may any more."""

    claim: ClaimView
    stages: tuple[Stage, ...]
    voids: tuple[str, ...] | None


@dataclass(frozen=True, slots=True)
class Claims:
    """Open ones with their course, and the last closed ones; the newest first."""

    open: tuple[Course, ...]
    closed: tuple[ClaimView, ...]


def claims(view: TableView) -> Claims:
    """All that the table shows."""
    return Claims(
        tuple(_course(claim) for claim in view.claims if claim.steps),
        tuple(claim for claim in view.claims if not claim.steps),
    )


def barred(claim: ClaimView, step: str, who: str) -> str:
    """Why this person may not take the step, in a sentence; empty: they may."""
    for name in _apart(claim, step):
        if same(name, who):
            return f"{who} has signed claim {claim.number} before: this step needs {STEPS[step].whose}"
    return ""


def _course(claim: ClaimView) -> Course:
    steps = (step for step in COURSE if step != "second" or claim.by_two or claim.second)
    voids = _apart(claim, "void") if "void" in claim.steps else None
    return Course(claim, tuple(_stage(claim, step) for step in steps), voids)


def _stage(claim: ClaimView, step: Step) -> Stage:
    who: str = getattr(claim, STEPS[step].signs)
    at: At = "done" if who else "next" if step in claim.steps else "later"
    return Stage(step, at, who, STEPS[step], _apart(claim, step))


def _apart(claim: ClaimView, step: str) -> tuple[str, ...]:
    """Who signed it before and may not take this step too."""
    roles = next((move.apart for move in MOVES if (move.step, move.source) == (step, claim.state)), ())
    return tuple(name for role in roles if (name := getattr(claim, role)))
