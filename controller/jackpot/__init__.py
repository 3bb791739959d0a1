"""The progressive jackpot."""

from controller.jackpot.meter import Books, Meter, Parameters, Unbalanced

__all__ = ["Books", "Meter", "Parameters", "Unbalanced"]
