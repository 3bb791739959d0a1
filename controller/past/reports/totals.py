"""What dealers ended with, against the exact odds.

Counted are hands that the dealer had to complete and that were no natural: whether a hand is completed
depends on what the players hold, so that naturals, which end a round by themselves, would be too many.
Each is compared with the odds of its own up-card.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from controller.cards import Card
from controller.games.layout import Hand, Layout, Seat
from controller.games.table_game import LABELS, TableGame
from controller.past.reports.chances import known
from controller.past.reports.facts import Played, Rules
from controller.past.reports.hits import BAND
from controller.past.reports.trials import dealer, up_card
from controller.past.statistics import counts, form, tail
from controller.table.record.views import HIDDEN, RoundView, SeatView

BUST, NATURAL = "bust", "natural"
LEAST = 5
"""Totals that are expected less often are put together with the one before them."""


@dataclass(frozen=True, slots=True)
class Total:
    """How often dealers ended so, and were expected to; the band is of 95 %."""

    name: str
    observed: int
    expected: Fraction
    low: int
    high: int


@dataclass(frozen=True, slots=True)
class Totals:
    """All of them. `statistic`: chi-squared with `degrees` of freedom; None with too few hands to say.
    `chance`: the probability of as much or more by chance."""

    hands: int
    totals: tuple[Total, ...]
    statistic: float | None = None
    degrees: int = 0
    chance: float | None = None


Share = Mapping[str, Fraction]
Made = Mapping[tuple[Rules, str], int]
"""Hands by rules and up-card."""


def totals(rounds: Iterable[Played]) -> Totals:
    """Of all games together: a bust is a bust, and totals have other names where the target is 11."""
    ends = [(played.rules, *told) for played in rounds for told in _end(played)]
    made = Counter((rules, up) for rules, up, _ in ends)
    observed = Counter(end for *_, end in ends)
    shares = {key: _shares(*key) for key in made}
    names = sorted({name for share in shares.values() for name in share}, key=_place)
    found = tuple(_total(name, observed[name], made, shares) for name in names)
    return _judged(len(ends), found, made, shares)


def _end(played: Played) -> Iterator[tuple[str, str]]:
    """The up-card and what the dealer ended with, of a hand that counts."""
    told, seen = known(played.rules), played.round
    if told is None or not seen.dealer.cards or HIDDEN in seen.dealer.cards:
        return
    game, cards = told.game, dealer(seen)
    if game.natural(cards) or not _completed(game, seen):
        return
    up = up_card(seen) if game.deal.count("dealer up") else ""
    yield up, BUST if game.bust(cards) else str(game.total(cards))


def _completed(game: TableGame, seen: RoundView) -> bool:
    """Whether a wager waited for the dealer's hand."""
    layout = _layout(seen)
    return game.hands_left(layout) or any(bet.draws_out(layout) for bet in game.side_bets)


def _layout(seen: RoundView) -> Layout:
    """The round as the rules look at it: hands with their last keys, and who wagered on what."""
    seats = {seat.seat: Seat(_wagers(seen, seat), tuple(_hands(seat))) for seat in seen.seats if seat.hands}
    return Layout(seats)


def _wagers(seen: RoundView, seat: SeatView) -> dict[str, int | None]:
    return {line.wager: line.amount for line in seen.lines if line.seat == seat.seat}


def _hands(seat: SeatView) -> Iterator[Hand]:
    """That hands come of a split is what is known of them, not of which."""
    for hand in seat.hands:
        cards = tuple(map(Card, hand.cards))
        yield Hand(cards, CHOICES.get(hand.label, ""), split=int(len(seat.hands) > 1))


def _shares(rules: Rules, up: str) -> Share:
    """Given that there is no natural."""
    told = known(rules)
    if told is None:
        raise AssertionError(f"{rules.game} has ends and no odds")
    found = next(each for each in told.dealer.totals if each.given.get("up_card", "") == up).before_peek
    rest = 1 - found.get(NATURAL, Fraction(0))
    return {name: share / rest for name, share in found.items() if name != NATURAL}


def _total(name: str, observed: int, made: Made, shares: Mapping[tuple[Rules, str], Share]) -> Total:
    strata = [(count, shares[key].get(name, Fraction(0))) for key, count in made.items()]
    expected = sum((count * share for count, share in strata), Fraction(0))
    band = counts([(count, float(share)) for count, share in strata]).band(BAND)
    return Total(name, observed, expected, *band)


def _judged(
    hands: int, found: tuple[Total, ...], made: Made, shares: Mapping[tuple[Rules, str], Share]
) -> Totals:
    """By the quadratic form of what is off with the inverse of its exact covariances: hands of different
    up-cards are different trials."""
    groups = _groups(found)
    if len(groups) < 2:
        return Totals(hands, found)
    names = [[total.name for total in group] for group in groups[:-1]]
    off = [float(sum(total.observed - total.expected for total in group)) for group in groups[:-1]]
    spread = [[float(_covariance(one, other, made, shares)) for other in names] for one in names]
    value = form(spread, off)
    return Totals(hands, found, value, len(names), tail(max(0.0, value), len(names)))


def _groups(found: Sequence[Total]) -> list[list[Total]]:
    groups: list[list[Total]] = []
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
    one: list[str], other: list[str], made: Made, shares: Mapping[tuple[Rules, str], Share]
) -> Fraction:
    whole = Fraction(0)
    for key, count in made.items():
        here = sum((shares[key].get(name, Fraction(0)) for name in one), Fraction(0))
        there = sum((shares[key].get(name, Fraction(0)) for name in other), Fraction(0))
        whole += count * ((here if one == other else 0) - here * there)
    return whole


def _place(name: str) -> tuple[bool, int]:
    return name == BUST, 0 if name == BUST else int(name)


CHOICES = {label: choice for choice, label in LABELS.items()}
"""By a hand's label its last key; other labels are what its cards are."""
