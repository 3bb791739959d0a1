"""What a report counts of one ended round: a tenth of the memory that its record takes."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from controller.past.reports.completed_hands import CompletedHand, completed_hand
from controller.past.reports.played_rules import PlayedRules
from controller.past.reports.trials import GameOdds, Trial, game_odds, trials
from controller.table.record.views import RoundView


class SettledWager(NamedTuple):
    """`amount` and `paid` in cents, None if unknown; `paid` is below 0 for a lost stake."""

    wager: str
    outcome: str
    amount: int | None
    paid: int | None


_settled_wager = lru_cache(maxsize=10_000)(SettledWager)
"""Rounds share their wagers, and so take a third of the memory."""


@dataclass(frozen=True, slots=True)
class RoundFigures:
    """`cards`: those of the dealer and of all hands, without burned ones; `lines`: its settled wagers;
    `trials`: those whose odds are known; `dealer`: None if the hand does not count. A void round has neither
    of the last two."""

    number: int
    rules: PlayedRules
    void: bool
    corrected: bool
    cards: int
    lines: tuple[SettledWager, ...] = ()
    trials: tuple[Trial, ...] = ()
    dealer: CompletedHand | None = None


def round_figures(rules: PlayedRules, seen: RoundView) -> RoundFigures:
    """The figures of a round that was played by these rules."""
    void = seen.outcome == "void"
    odds = None if void else game_odds(rules)
    return RoundFigures(
        seen.number,
        rules,
        void,
        bool(seen.corrections),
        len(seen.dealer.cards) + sum(len(hand.cards) for seat in seen.seats for hand in seat.hands),
        tuple(_settled_wager(line.wager, line.outcome, line.amount, line.paid) for line in seen.lines),
        tuple(_known_trials(odds, seen)) if odds else (),
        completed_hand(odds.game, seen) if odds else None,
    )


def _known_trials(odds: GameOdds, seen: RoundView) -> Iterator[Trial]:
    """Those whose odds are known."""
    for trial in trials(odds.game, seen):
        if trial.up_card in odds.chances.get(trial.bet, {}):
            yield trial
