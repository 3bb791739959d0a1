"""The progressive jackpot: meters, books and claims, pure."""

from controller.jackpot.books import UNITS, Books, JackpotReset, Unbalanced
from controller.jackpot.claims import (
    BINDING,
    HITS_KEPT,
    OPEN,
    Claim,
    ClaimRefused,
    Register,
    Step,
    move,
    void_claim,
)
from controller.jackpot.meter import Meter
from controller.jackpot.parameters import Parameters

__all__ = [
    "BINDING",
    "HITS_KEPT",
    "OPEN",
    "UNITS",
    "Books",
    "Claim",
    "ClaimRefused",
    "JackpotReset",
    "Meter",
    "Parameters",
    "Register",
    "Step",
    "Unbalanced",
    "move",
    "void_claim",
]
