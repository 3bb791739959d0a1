"""Claims of jackpots: each won share, from the hit until it is paid or void.

The dealer confirms the hand, then a supervisor verifies it, above an amount a second person too. Then it
is paid. The register holds the claims of a table that somebody may still ask for.
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
"""States in which the amount is locked."""
BINDING: frozenset[State] = frozenset({"verified", "paid"})
"""States that bind the round of the claim: it can be neither voided nor corrected."""


class ClaimRefused(Exception):
    """A step that the claim does not allow now, or not by this person. Nothing has changed."""


@dataclass(frozen=True, slots=True)
class Claim:
    """A won share; amounts in cents. `number` counts the table's claims from 1."""

    number: int
    spot: str
    round: int
    seat: int
    cards: tuple[str, ...]
    """The seat's first two cards, then the up-card."""
    hit: str
    """The winning event, in words."""
    share: str
    """ "10%" of the jackpot; "100%" is all of it."""
    cents: int
    """Cents that are locked for the claim."""
    shown: int
    """What the jackpot displayed before."""
    base: int
    """What it displayed after the last share of the round."""
    reset: JackpotReset = field(default_factory=JackpotReset)
    """What began the jackpot again because all of it was won."""
    by_two: bool = False
    """A second person must verify it."""
    tax: bool = False
    """A tax form is due."""
    state: State = "pending"
    dealer: str = ""
    supervisor: str = ""
    second: str = ""
    payer: str = ""
    voided_by: str = ""
    why: str = ""
    """The reason of the last step that states one, as it was typed."""
    level: str = ""
    """The linked progressive that the share is of; empty for a jackpot of this table."""
    seen: tuple[int, ...] = ()
    """Number and version of the amount that players were shown, of a linked progressive."""
    n: int = 0
    """The entry of the progressive's log that decided the cents; 0: a linked progressive has not yet."""
    order: tuple[int, ...] = ()
    """The place of the claim among those of all tables: message, and index in it."""

    @property
    def decided(self) -> bool:
        """Whether `cents` are the amount of the share. They are 0 until a linked progressive has decided."""
        return not self.level or self.n > 0

    @property
    def amount(self) -> int | None:
        """The cents, None as long as they are not decided."""
        return self.cents if self.decided else None


@dataclass(frozen=True, slots=True)
class Move:
    """On `step` in state `source`, if `guard` holds: go to `dest`. The person signs as `signs` and must
    differ from those who signed as `apart`."""

    step: Step
    source: State
    dest: State
    signs: Signature
    apart: tuple[Signature, ...] = ()
    guard: Callable[[Claim], bool] = lambda _claim: True


def by_two(claim: Claim) -> bool:
    return claim.decided and claim.by_two


def by_one(claim: Claim) -> bool:
    return claim.decided and not claim.by_two


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


APPROVALS: frozenset[Step] = frozenset({"second", "pay"})
"""Steps after a supervisor has given a reason: theirs may stay empty, and the earlier one holds."""


def move(claim: Claim, step: Step, who: str, why: str) -> Claim:
    """The claim after a person's step; raises ClaimRefused, which names the possible steps."""
    moves = possible_moves(claim)
    found = next((one for one in moves if one.step == step), None)
    if found is None:
        allowed = ", ".join(one.step for one in moves) or "nothing more"
        waits = "" if claim.decided else f" and {claim.level} has not decided its amount"
        raise ClaimRefused(
            f"claim {claim.number} is {claim.state}{waits}: {step} is not possible; allowed: {allowed}"
        )
    for role in found.apart:
        if same_name(who, getattr(claim, role)):
            raise ClaimRefused(f"claim {claim.number}: {who} is its {role}; {step} needs another person")
    signed: dict[str, Any] = {found.signs: who}
    return replace(claim, state=found.dest, why=why or claim.why, **signed)


def void_claim(claim: Claim, who: str, why: str) -> Claim:
    """The claim made void together with its round; raises ClaimRefused if it binds the round."""
    if claim.state in BINDING:
        raise ClaimRefused(f"claim {claim.number} is {claim.state}: its round stays as it is")
    return replace(claim, state="void", voided_by=who, why=why)


def possible_moves(claim: Claim) -> tuple[Move, ...]:
    """The moves of a claim, by anybody."""
    return tuple(one for one in MOVES if one.source == claim.state and one.guard(claim))


HITS_KEPT = 25
"""Closed claims to keep per jackpot. Older ones are in the journal."""


@dataclass(frozen=True, slots=True)
class Register:
    """The open claims of a table and the last closed ones of each jackpot, in the order of their hits."""

    opened: int = 0
    """How many claims there ever were."""
    claims: tuple[Claim, ...] = ()

    @property
    def open(self) -> tuple[Claim, ...]:
        return tuple(claim for claim in self.claims if claim.state in OPEN)

    def of_round(self, number: int) -> tuple[Claim, ...]:
        """The claims of one round that are not void."""
        return tuple(claim for claim in self.claims if claim.round == number and claim.state != "void")

    def of_level(self, level: str) -> tuple[Claim, ...]:
        """The claims of a linked progressive, also the closed ones."""
        return tuple(claim for claim in self.claims if claim.level == level)

    def locked(self, spot: str) -> int:
        """Cents that are locked for the claims of one jackpot of this table."""
        return sum(claim.cents for claim in self.open if claim.spot == spot and not claim.level)

    def by_number(self, number: int) -> Claim:
        """Raises ClaimRefused if there is no such claim."""
        found = next((claim for claim in self.claims if claim.number == number), None)
        if found is None:
            known = ", ".join(str(claim.number) for claim in self.open) or "none is open"
            raise ClaimRefused(f"there is no claim {number}; open claims: {known}")
        return found

    def add(self, claim: Claim) -> "Register":
        """Adds a claim, which must have the next number."""
        if claim.number != self.opened + 1:
            raise ValueError(f"claim {claim.number} is not the next one, {self.opened + 1}")
        return Register(claim.number, (*self.claims, claim))

    def put(self, claim: Claim) -> "Register":
        """Replaces the claim of this number."""
        claims = tuple(claim if one.number == claim.number else one for one in self.claims)
        return Register(self.opened, _recent(claims))


def _recent(claims: tuple[Claim, ...]) -> tuple[Claim, ...]:
    closed: dict[str, list[int]] = {}
    for claim in claims:
        if claim.state not in OPEN:
            closed.setdefault(claim.spot, []).append(claim.number)
    recent = {number for numbers in closed.values() for number in numbers[-HITS_KEPT:]}
    return tuple(claim for claim in claims if claim.state in OPEN or claim.number in recent)
