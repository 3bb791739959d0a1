"""One won share of a jackpot, from the hit until it is paid or void: who says what, in which order.

The dealer confirms the hand, a supervisor verifies it, above an amount a second person too; then it is paid.

All claims of a table that somebody may still ask for.
"""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from controller.jackpot.books import JackpotReset
from controller.text.characters import same_name

State = Literal["pending", "confirmed", "checked", "verified", "paid", "void"]
Step = Literal["confirm", "verify", "second", "pay", "void"]
Signature = Literal["dealer", "supervisor", "second", "payer", "voided_by"]

OPEN: frozenset[State] = frozenset({"pending", "confirmed", "checked", "verified"})
"""What the amount is locked for."""
BINDING: frozenset[State] = frozenset({"verified", "paid"})
"""What holds its round: it cannot become void or be corrected."""


class ClaimRefused(Exception):
    """A step that a claim does not allow now, or not by this person; nothing has changed."""


@dataclass(frozen=True, slots=True)
class Claim:
    """A won share; amounts in cents. `number` counts the table's claims from 1."""

    number: int
    spot: str
    round: int
    seat: int
    cards: tuple[str, ...]
    """The seat's first two, then the up-card."""
    hit: str
    """What was hit, in words."""
    share: str
    """ "10%" of the jackpot; "100%" is all of it."""
    cents: int
    """What is locked for it."""
    shown: int
    """What the jackpot showed before."""
    base: int
    """What it showed after the last share of the round."""
    reset: JackpotReset = field(default_factory=JackpotReset)
    """What was put in because all of it was won."""
    by_two: bool = False
    """A second person is needed."""
    tax: bool = False
    """A tax form is due."""
    state: State = "pending"
    dealer: str = ""
    supervisor: str = ""
    second: str = ""
    payer: str = ""
    voided_by: str = ""
    why: str = ""
    """The reason of the last step, as it was typed."""


@dataclass(frozen=True, slots=True)
class Move:
    """One transition: `step` in `source`, if `guard` holds, leads to `dest`. Who takes it signs at `signs`,
    and may be none of those who signed at `apart`."""

    step: Step
    source: State
    dest: State
    signs: Signature
    apart: tuple[Signature, ...] = ()
    guard: Callable[[Claim], bool] = lambda _claim: True


def by_two(claim: Claim) -> bool:
    """It takes a second person."""
    return claim.by_two


def by_one(claim: Claim) -> bool:
    """One supervisor will do."""
    return not claim.by_two


MOVES = (
    Move("confirm", "pending", "confirmed", "dealer"),
    Move("verify", "confirmed", "verified", "supervisor", ("dealer",), by_one),
    Move("verify", "confirmed", "checked", "supervisor", ("dealer",), by_two),
    Move("second", "checked", "verified", "second", ("dealer", "supervisor")),
    Move("pay", "verified", "paid", "payer"),
    Move("void", "pending", "void", "voided_by"),
    Move("void", "confirmed", "void", "voided_by", ("dealer",)),
    Move("void", "checked", "void", "voided_by", ("dealer",)),
    Move("void", "verified", "void", "voided_by", ("dealer",)),
)


def move(claim: Claim, step: Step, who: str, why: str) -> Claim:
    """The claim after a step of a person; raises ClaimRefused naming what is possible."""
    moves = possible_moves(claim)
    found = next((one for one in moves if one.step == step), None)
    if found is None:
        allowed = ", ".join(one.step for one in moves) or "nothing more"
        raise ClaimRefused(
            f"claim {claim.number} is {claim.state}: {step} is not possible; allowed: {allowed}"
        )
    for role in found.apart:
        if same_name(who, getattr(claim, role)):
            raise ClaimRefused(f"claim {claim.number}: {who} is its {role}; {step} needs another person")
    signed: dict[str, Any] = {found.signs: who}
    return replace(claim, state=found.dest, why=why, **signed)


def void_claim(claim: Claim, who: str, why: str) -> Claim:
    """The claim is void together with its round; raises ClaimRefused where it holds the round."""
    if claim.state in BINDING:
        raise ClaimRefused(f"claim {claim.number} is {claim.state}: its round stays as it is")
    return replace(claim, state="void", voided_by=who, why=why)


def possible_moves(claim: Claim) -> tuple[Move, ...]:
    """The moves of a claim, whoever takes them."""
    return tuple(one for one in MOVES if one.source == claim.state and one.guard(claim))


HITS_KEPT = 25
"""Closed claims of each jackpot; older ones are in the journal."""


@dataclass(frozen=True, slots=True)
class Register:
    """Claims in the order of their hits: all that are open, and the last closed ones of each jackpot."""

    opened: int = 0
    """How many there ever were."""
    claims: tuple[Claim, ...] = ()

    @property
    def open(self) -> tuple[Claim, ...]:
        """Those that are neither paid nor void."""
        return tuple(claim for claim in self.claims if claim.state in OPEN)

    def of_round(self, number: int) -> tuple[Claim, ...]:
        """Those of one round that are not void, in the order of their hits."""
        return tuple(claim for claim in self.claims if claim.round == number and claim.state != "void")

    def locked(self, spot: str) -> int:
        """Cents that are locked for those of one jackpot."""
        return sum(claim.cents for claim in self.open if claim.spot == spot)

    def by_number(self, number: int) -> Claim:
        """The claim of this number; raises ClaimRefused."""
        found = next((claim for claim in self.claims if claim.number == number), None)
        if found is None:
            known = ", ".join(str(claim.number) for claim in self.open) or "none is open"
            raise ClaimRefused(f"there is no claim {number}; open claims: {known}")
        return found

    def add(self, claim: Claim) -> "Register":
        """With a new claim, whose number must be the next one."""
        if claim.number != self.opened + 1:
            raise ValueError(f"claim {claim.number} is not the next one, {self.opened + 1}")
        return Register(claim.number, (*self.claims, claim))

    def put(self, claim: Claim) -> "Register":
        """With a claim as it is now."""
        claims = tuple(claim if one.number == claim.number else one for one in self.claims)
        return Register(self.opened, _recent(claims))


def _recent(claims: tuple[Claim, ...]) -> tuple[Claim, ...]:
    closed: dict[str, list[int]] = {}
    for claim in claims:
        if claim.state not in OPEN:
            closed.setdefault(claim.spot, []).append(claim.number)
    recent = {number for numbers in closed.values() for number in numbers[-HITS_KEPT:]}
    return tuple(claim for claim in claims if claim.state in OPEN or claim.number in recent)
