"""The chi-squared distribution: how often chance alone gives so much, and the usual limit."""

from dataclasses import dataclass
from itertools import count
from math import exp, lgamma, log

CLOSE = 1e-14
"""Terms that are smaller than this share of the sum change nothing."""


@dataclass(frozen=True, slots=True)
class Statistic:
    """A chi-squared sum with its degrees of freedom; sums of independent tables add up."""

    value: float = 0.0
    degrees: int = 0

    def __add__(self, other: "Statistic") -> "Statistic":
        return Statistic(self.value + other.value, self.degrees + other.degrees)

    @property
    def chance(self) -> float:
        """The probability that a perfect shuffle gives as much or more; 1 for no degrees of freedom."""
        return tail(self.value, self.degrees) if self.degrees else 1.0


def tail(value: float, degrees: int) -> float:
    """P(X >= value) of a chi-squared X: the upper incomplete gamma function Q(degrees/2, value/2).

    Raises ValueError for a value under 0 or less than one degree of freedom.
    """
    if value < 0 or degrees < 1:
        raise ValueError(f"chi-squared of {value} with {degrees} degrees of freedom; allowed: from 0, from 1")
    shape, at = degrees / 2, value / 2
    if at == 0:
        return 1.0
    return 1.0 - _lower(shape, at) if at < shape + 1 else _upper(shape, at)


def _lower(shape: float, at: float) -> float:
    """P by its power series."""
    term = total = 1.0 / shape
    for step in count(1):
        term *= at / (shape + step)
        total += term
        if term < total * CLOSE:
            break
    return total * _scale(shape, at)


def _upper(shape: float, at: float) -> float:
    """Q by its continued fraction, evaluated forward (Lentz)."""
    below = at + 1.0 - shape
    above = 1e300
    inverse = 1.0 / below
    fraction = inverse
    for step in count(1):
        weight = -step * (step - shape)
        below += 2.0
        inverse = 1.0 / (weight * inverse + below)
        above = below + weight / above
        change = above * inverse
        fraction *= change
        if abs(change - 1.0) < CLOSE:
            break
    return fraction * _scale(shape, at)


def _scale(shape: float, at: float) -> float:
    return exp(shape * log(at) - at - lgamma(shape))
