"""Compare the dealer's final totals with the exact odds.

Hands count if the dealer had to complete them and they were not naturals. Whether a hand is completed depends
on what the players hold; a natural ends the round in any case, so there would be too many. Each hand is
compared with the odds of its own up-card.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from controller.cards import Card
from controller.games.game import LABELS, Game
from controller.games.layout import Hand, Layout, Seat
from controller.past.reports.facts import PlayedRules, ReportedRound
from controller.past.reports.hits import BAND
from controller.past.reports.trials import dealer, game_odds, up_card
from controller.past.statistics import form, success_distribution, tail
from controller.table.record.views import HIDDEN, RoundView, SeatView

BUST = "bust"
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
    ends = [(played.rules, *hand) for played in rounds for hand in _completed_hand(played)]
    hand_counts = Counter((rules, up) for rules, up, _ in ends)
    observed = Counter(end for *_, end in ends)
    shares = {key: _shares(*key) for key in hand_counts}
    names = sorted({name for share in shares.values() for name in share}, key=_place)
    found = tuple(_total(name, observed[name], hand_counts, shares) for name in names)
    return _chi_squared(len(ends), found, hand_counts, shares)


def _completed_hand(played: ReportedRound) -> Iterator[tuple[str, str]]:
    """The up-card and the final total, if the hand counts."""
    odds, seen = game_odds(played.rules), played.round
    if odds is None or not seen.dealer.cards or HIDDEN in seen.dealer.cards:
        return
    game, cards = odds.game, dealer(seen)
    if game.natural(cards) or not _completed(game, seen):
        return
    up = up_card(seen) if game.deal.count("dealer up") else ""
    yield up, BUST if game.bust(cards) else str(game.total(cards))


def _completed(game: Game, seen: RoundView) -> bool:
    layout = _layout(seen)
    return game.hands_left(layout) or any(bet.draws_out(layout) for bet in game.side_bets)


def _layout(seen: RoundView) -> Layout:
    """The round as the rules need it: hands with their last keys, and wagers."""
    seats = {seat.seat: Seat(_wagers(seen, seat), tuple(_hands(seat))) for seat in seen.seats if seat.hands}
    return Layout(seats)


def _wagers(seen: RoundView, seat: SeatView) -> dict[str, int | None]:
    return {line.wager: line.amount for line in seen.lines if line.seat == seat.seat}


def _hands(seat: SeatView) -> Iterator[Hand]:
    """The record shows that hands were split, but not from which hand."""
    for hand in seat.hands:
        cards = tuple(map(Card, hand.cards))
        yield Hand(cards, CHOICES.get(hand.label, ""), split=int(len(seat.hands) > 1))


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


CHOICES = {label: choice for choice, label in LABELS.items()}
"""The last key of a hand by its label. Other labels describe its cards."""
