"""Statistics of a table's reports and shuffles.

CountDistribution is exact: the number of successes among trials whose probabilities are known and may differ
(a Poisson binomial distribution). A band leaves out at most half of the remaining probability on each side.
For trials that are all alike it is the basis of the Clopper-Pearson interval: the expected share is in the
interval of the observed count exactly if the count is in the band.

`form` and `tail` give chi-squared statistics and their probabilities.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate, count
from math import exp, lgamma, log, log1p
from operator import mul

NOTHING = 1e-16
"""Probabilities below this, at the ends of a distribution, are cut off."""
SLACK = 1e-12
"""The tolerated error of a sum of floats."""

Strata = Sequence[tuple[int, float]]
"""Numbers of trials with their probability."""


@dataclass(frozen=True, slots=True)
class CountDistribution:
    """The probabilities of `first`, `first` + 1, ... successes; others are negligible."""

    first: int
    shares: tuple[float, ...]

    def band(self, level: float) -> tuple[int, int]:
        """The smallest and the largest count in the band. A lower count, or a higher one, has at most the
        probability (1 - level) / 2."""
        half = (1 - level) / 2 + SLACK
        low = next(place for place, sum_ in enumerate(accumulate(self.shares)) if sum_ > half)
        high = next(place for place, sum_ in enumerate(accumulate(reversed(self.shares))) if sum_ > half)
        return self.first + low, self.first + len(self.shares) - 1 - high

    def chance(self, count: int) -> float:
        """The probability of a count as far off as this one, on either side: twice the smaller tail."""
        place = count - self.first
        below = sum(self.shares[: max(0, place + 1)])
        above = sum(self.shares[max(0, place) :])
        return min(1.0, 2 * min(below, above))


def success_distribution(strata: Strata) -> CountDistribution:
    """The distribution of the number of successes. Raises ValueError for a probability outside 0 to 1."""
    merged: dict[float, int] = {}
    for trials, share in strata:
        if not 0 <= share <= 1 or trials < 0:
            raise ValueError(f"{trials} trials of probability {share}; allowed: from 0, from 0 to 1")
        merged[share] = merged.get(share, 0) + trials
    whole = CountDistribution(0, (1.0,))
    for part in sorted((_binomial(*each) for each in merged.items()), key=lambda each: len(each.shares)):
        whole = _convolve(whole, part)
    return whole


def _binomial(share: float, trials: int) -> CountDistribution:
    if share in (0.0, 1.0) or not trials:
        return CountDistribution(trials if share == 1 else 0, (1.0,))
    whole = lgamma(trials + 1)
    yes, no = log(share), log1p(-share)

    def term(count: int) -> float:
        ways = whole - lgamma(count + 1) - lgamma(trials - count + 1)
        return exp(ways + count * yes + (trials - count) * no)

    middle = int((trials + 1) * share)
    down = _until_nothing(map(term, range(min(middle, trials), -1, -1)))
    up = _until_nothing(map(term, range(min(middle, trials) + 1, trials + 1)))
    return CountDistribution(min(middle, trials) + 1 - len(down), (*reversed(down), *up))


def _until_nothing(terms: Iterable[float]) -> list[float]:
    found = []
    for term in terms:
        if term < NOTHING:
            break
        found.append(term)
    return found


def _convolve(one: CountDistribution, other: CountDistribution) -> CountDistribution:
    """The distribution of the sum."""
    last, factors = len(other.shares) - 1, other.shares[::-1]
    shares = [
        sum(map(mul, one.shares[max(0, place - last) : place + 1], factors[max(0, last - place) :]))
        for place in range(len(one.shares) + last)
    ]
    first = next(place for place, share in enumerate(shares) if share >= NOTHING)
    last = next(place for place in range(len(shares), 0, -1) if shares[place - 1] >= NOTHING)
    return CountDistribution(one.first + other.first + first, tuple(shares[first:last]))


def holm(chances: Sequence[float]) -> tuple[float, ...]:
    """The p values corrected for their number (Holm): the smallest times their number, the next times one
    less, and so on, none below the one before. Whatever the dependence, the chance that any of them is below
    a level without a reason is at most that level."""
    corrected = [1.0] * len(chances)
    least = 0.0
    for rank, place in enumerate(sorted(range(len(chances)), key=chances.__getitem__)):
        least = max(least, min(1.0, chances[place] * (len(chances) - rank)))
        corrected[place] = least
    return tuple(corrected)


def form(matrix: Sequence[Sequence[float]], vector: Sequence[float]) -> float:
    """v' M^-1 v for a symmetric, positive definite M, by elimination: the sum of the squares of what is left
    of v, each over its pivot."""
    rows, rest, value = [list(row) for row in matrix], list(vector), 0.0
    for step, pivots in enumerate(rows):
        pivot = pivots[step]
        value += rest[step] ** 2 / pivot
        for below in range(step + 1, len(rows)):
            factor = rows[below][step] / pivot
            rest[below] -= factor * rest[step]
            rows[below] = [one - factor * other for one, other in zip(rows[below], pivots, strict=True)]
    return value


CLOSE = 1e-14
"""A term below this share of the sum ends a series."""


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
    """P(shape, at), by its power series."""
    term = total = 1.0 / shape
    for step in count(1):
        term *= at / (shape + step)
        total += term
        if term < total * CLOSE:
            break
    return total * _scale(shape, at)


def _upper(shape: float, at: float) -> float:
    """Q(shape, at), by its continued fraction, evaluated forward (Lentz)."""
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
