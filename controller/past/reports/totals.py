"""Compare the final totals of the dealer's completed hands with the exact odds, each hand with those of its
own up-card."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from controller.past.reports.completed_hands import BUST
from controller.past.reports.facts import ReportedRound
from controller.past.reports.hits import BAND
from controller.past.reports.played_rules import PlayedRules
from controller.past.reports.trials import game_odds
from controller.past.statistics import form, success_distribution, tail

NATURAL = "natural"
LEAST = 5
"""Totals that are expected less often are combined with the one before them."""


@dataclass(frozen=True, slots=True)
class TotalComparison:
    """How often a total was counted and expected, with the band of 95 %."""

    name: str
    observed: int
    expected: Fraction
    low: int
    high: int


@dataclass(frozen=True, slots=True)
class TotalsComparison:
    """`statistic`: chi-squared with `degrees` of freedom, None with too few hands; `chance`: the probability
    of as much or more by chance."""

    hands: int
    totals: tuple[TotalComparison, ...]
    statistic: float | None = None
    degrees: int = 0
    chance: float | None = None


Share = Mapping[str, Fraction]
HandCounts = Mapping[tuple[PlayedRules, str], int]
"""Hands by rules and up-card."""


def compare_totals(rounds: Iterable[ReportedRound]) -> TotalsComparison:
    """All games together: a bust is a bust in each, and the totals of games with the target 11 are other
    numbers."""
    hands = [(played.figures.rules, played.figures.dealer) for played in rounds if played.figures.dealer]
    hand_counts = Counter((rules, hand.up_card) for rules, hand in hands)
    observed = Counter(hand.end for _, hand in hands)
    shares = {key: _shares(*key) for key in hand_counts}
    names = sorted({name for share in shares.values() for name in share}, key=_place)
    found = tuple(_total(name, observed[name], hand_counts, shares) for name in names)
    return _chi_squared(len(hands), found, hand_counts, shares)


def _shares(rules: PlayedRules, up: str) -> Share:
    """The probabilities, given that there is no natural."""
    odds = game_odds(rules)
    if odds is None:
        raise AssertionError(f"{rules.game} has ends and no odds")
    found = next(each for each in odds.dealer.totals if each.given.get("up_card", "") == up).before_peek
    rest = 1 - found.get(NATURAL, Fraction(0))
    return {name: share / rest for name, share in found.items() if name != NATURAL}


def _total(
    name: str, observed: int, hand_counts: HandCounts, shares: Mapping[tuple[PlayedRules, str], Share]
) -> TotalComparison:
    strata = [(count, shares[key].get(name, Fraction(0))) for key, count in hand_counts.items()]
    expected = sum((count * share for count, share in strata), Fraction(0))
    band = success_distribution([(count, float(share)) for count, share in strata]).band(BAND)
    return TotalComparison(name, observed, expected, *band)


def _chi_squared(
    hands: int,
    found: tuple[TotalComparison, ...],
    hand_counts: HandCounts,
    shares: Mapping[tuple[PlayedRules, str], Share],
) -> TotalsComparison:
    """Chi-squared from the deviations and the inverse of their exact covariances: hands with different
    up-cards are different trials."""
    groups = _groups(found)
    if len(groups) < 2:
        return TotalsComparison(hands, found)
    names = [[total.name for total in group] for group in groups[:-1]]
    off = [float(sum(total.observed - total.expected for total in group)) for group in groups[:-1]]
    spread = [[float(_covariance(one, other, hand_counts, shares)) for other in names] for one in names]
    value = form(spread, off)
    return TotalsComparison(hands, found, value, len(names), tail(max(0.0, value), len(names)))


def _groups(found: Sequence[TotalComparison]) -> list[list[TotalComparison]]:
    groups: list[list[TotalComparison]] = []
    for total in found:
        if groups and sum(each.expected for each in groups[-1]) < LEAST:
            groups[-1].append(total)
        else:
            groups.append([total])
    if len(groups) > 1 and sum(each.expected for each in groups[-1]) < LEAST:
        last = groups.pop()
        groups[-1] += last
    return groups


def _covariance(
    one: list[str], other: list[str], hand_counts: HandCounts, shares: Mapping[tuple[PlayedRules, str], Share]
) -> Fraction:
    whole = Fraction(0)
    for key, count in hand_counts.items():
        here = sum((shares[key].get(name, Fraction(0)) for name in one), Fraction(0))
        there = sum((shares[key].get(name, Fraction(0)) for name in other), Fraction(0))
        whole += count * ((here if one == other else 0) - here * there)
    return whole


def _place(name: str) -> tuple[bool, int]:
    return name == BUST, 0 if name == BUST else int(name)
