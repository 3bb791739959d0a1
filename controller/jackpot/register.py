"""All claims of a table that somebody may still ask for."""

from dataclasses import dataclass

from controller.jackpot.claim import OPEN, Claim, ClaimRefused

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

    def named(self, number: int) -> Claim:
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
        return Register(self.opened, _kept(claims))


def _kept(claims: tuple[Claim, ...]) -> tuple[Claim, ...]:
    closed: dict[str, list[int]] = {}
    for claim in claims:
        if claim.state not in OPEN:
            closed.setdefault(claim.spot, []).append(claim.number)
    kept = {number for numbers in closed.values() for number in numbers[-HITS_KEPT:]}
    return tuple(claim for claim in claims if claim.state in OPEN or claim.number in kept)
