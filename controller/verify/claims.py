"""Claims of jackpots along a history: each goes the way that claims go, is about the same share all the time,
and is signed by as many persons as it takes."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import combinations

from controller.characters import same
from controller.jackpot import BINDING, OPEN, Claim
from controller.jackpot.claim import MOVES
from controller.money import text
from controller.verify.findings import Findings

FIXED = ("spot", "round", "seat", "cents")
APART = ("dealer", "supervisor", "second")
"""Who signs at these must be different persons."""
WAYS = {(move.source, move.dest) for move in MOVES} | {(state, "void") for state in OPEN - BINDING}
"""A claim that nobody is bound by becomes void with its round, too."""


@dataclass(slots=True)
class Claims:
    """`first` and `last`: what the first and the last row of each claim say, with its number."""

    first: dict[int, tuple[int, Claim]] = field(default_factory=dict)
    last: dict[int, tuple[int, Claim]] = field(default_factory=dict)

    def moved(self, row: int, claim: Claim, findings: Findings) -> None:
        """A row of kind "claim"."""
        self.first.setdefault(claim.number, (row, claim))
        for what in (*goes_on(self.last.get(claim.number), claim), *_signed(claim)):
            findings.add("claim", row, what)
        self.last[claim.number] = (row, claim)


def goes_on(before: tuple[int, Claim] | None, claim: Claim) -> Iterator[str]:
    """What is wrong with a claim behind what was said of it before."""
    if before is None:
        return
    row, was = before
    for name in FIXED:
        if getattr(was, name) != getattr(claim, name):
            now, should = getattr(claim, name), getattr(was, name)
            yield f"claim {claim.number} is of {name} {now}; by row {row} it should be {should}"
    if (was.state, claim.state) not in WAYS:
        yield f"claim {claim.number} is {claim.state}; by row {row} it was {was.state}"


def _signed(claim: Claim) -> Iterator[str]:
    signed = [(role, getattr(claim, role)) for role in APART if getattr(claim, role)]
    for (role, one), (other_role, other) in combinations(signed, 2):
        if same(one, other):
            yield f"claim {claim.number}: {one} is its {role} and its {other_role}; it takes two persons"
    if claim.state == "paid" and not (claim.supervisor and (claim.second or not claim.by_two)):
        missing = "a second person" if claim.supervisor else "a supervisor"
        yield f"claim {claim.number}, {text(claim.cents)}, is paid without {missing}"
