"""Compare how often bets hit with their exact odds."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from controller.past.reports.facts import ReportedRound
from controller.past.reports.played_rules import PlayedRules
from controller.past.reports.trials import WIN, GameOdds, Trial, game_odds
from controller.past.statistics import success_distribution

BAND = 0.95
ALARM = 0.999
EXPECTED = "as expected"
UNUSUAL = "unusual"
LOOK = "look at it"


@dataclass(frozen=True, slots=True)
class HitComparison:
    """One event of one bet. `expected`: the exact mean; `low` to `high`: the band of the count at 95 %,
    `alarm_low` to `alarm_high` at 99.9 %; `chance`: the probability of a count at least as far off;
    `corrected`: that probability among all comparisons of the report; `unit`: what is counted."""

    bet: str
    event: str
    unit: str
    trials: int
    observed: int
    expected: Fraction
    low: int
    high: int
    alarm_low: int
    alarm_high: int
    chance: float
    corrected: float = 1.0

    @property
    def word(self) -> str:
        return verdict_word(self.chance, self.corrected)


def verdict_word(chance: float, among_all: float) -> str:
    """The verdict on a p value. Outside the band of 95 % it is unusual, which happens now and then. Beyond
    the alarm level among all comparisons, a person should look at it."""
    if among_all < 1 - ALARM:
        return LOOK
    return EXPECTED if chance > 1 - BAND else UNUSUAL


def compare_hits(rounds: Iterable[ReportedRound]) -> tuple[HitComparison, ...]:
    """Every paying event of every bet that was made; for a bet with several, also any win. Not corrected
    yet."""
    trials = Counter((played.figures.rules, trial) for played in rounds for trial in played.figures.trials)
    by_bet: dict[str, Counter[tuple[PlayedRules, Trial]]] = {}
    for (rules, trial), count in trials.items():
        by_bet.setdefault(trial.bet, Counter())[rules, trial] += count
    return tuple(one for bet, found in sorted(by_bet.items()) for one in _comparisons(bet, found))


def with_corrected_chances(
    found: Sequence[HitComparison], values: Sequence[float]
) -> tuple[HitComparison, ...]:
    return tuple(replace(each, corrected=value) for each, value in zip(found, values, strict=False))


def _comparisons(bet: str, found: Counter[tuple[PlayedRules, Trial]]) -> Iterator[HitComparison]:
    paying = list(dict.fromkeys(event for rules, _ in found for event in _odds(rules).paying[bet]))
    if len(paying) > 1:
        yield _compare(bet, WIN, frozenset(paying), found)
    for event in paying:
        yield _compare(bet, event, frozenset({event}), found)


def _compare(
    bet: str, name: str, events: frozenset[str], found: Counter[tuple[PlayedRules, Trial]]
) -> HitComparison:
    made: Counter[Fraction] = Counter()
    for (rules, trial), count in found.items():
        chances = _odds(rules).chances[bet][trial.up_card]
        made[sum((chances.get(event, Fraction(0)) for event in events), Fraction(0))] += count
    observed = sum(count for (_, trial), count in found.items() if trial.event in events)
    spread = success_distribution([(count, float(share)) for share, count in made.items()])
    return HitComparison(
        bet,
        name,
        next(trial.unit for _, trial in found),
        made.total(),
        observed,
        sum((share * count for share, count in made.items()), Fraction(0)),
        *spread.band(BAND),
        *spread.band(ALARM),
        spread.chance(observed),
    )


def _odds(rules: PlayedRules) -> GameOdds:
    odds = game_odds(rules)
    if odds is None:
        raise AssertionError(f"{rules.game} has trials and no odds")
    return odds
