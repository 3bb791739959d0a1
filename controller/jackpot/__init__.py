"""The progressive jackpot: meters, books and claims, pure."""

from controller.jackpot.books import UNITS, Books, Reset, Unbalanced
from controller.jackpot.claims import (
    BINDING,
    HITS_KEPT,
    OPEN,
    Claim,
    ClaimRefused,
    Register,
    Step,
    move,
    strike,
)
from controller.jackpot.meter import Meter
from controller.jackpot.parameters import Parameters

__all__ = [
    "BINDING", "HITS_KEPT", "OPEN", "UNITS", "Books", "Claim", "ClaimRefused", "Meter", "Parameters",
    "Register", "Reset", "Step", "Unbalanced", "move", "strike",
]  # fmt: skip
