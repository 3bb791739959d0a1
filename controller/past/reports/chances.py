"""The exact odds of the events that are looked for, by bet and up-card."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from json import loads

from controller.games import open_game
from controller.games.game import Game
from controller.odds.bet import ANY, Bet, BetOutcome
from controller.odds.dealer import DealerOdds
from controller.odds.exact import NoOdds, bets, dealer
from controller.past.reports.facts import PlayedRules
from controller.past.reports.trials import MAIN, NATURAL, NO_NATURAL

WIN = "any win"
BOTH = "both natural"
WITH_NATURAL = ", with a natural"
"""What an event of Buster ends with that only some seats are paid more for."""


@dataclass(frozen=True, slots=True)
class GameOdds:
    """A game as it was played; `chances`: by bet, then by up-card (empty: none is known), then by event;
    `paying`: the events of a bet that win."""

    game: Game
    chances: Mapping[str, Mapping[str, Mapping[str, Fraction]]]
    paying: Mapping[str, tuple[str, ...]]
    dealer: DealerOdds


@lru_cache(maxsize=16)
def game_odds(rules: PlayedRules) -> GameOdds | None:
    """None where this version cannot open the game, or has no odds of it."""
    try:
        game = open_game(rules.game, loads(rules.options))
        found, hand = bets(game), dealer(game)
    except (ValueError, NoOdds):
        return None
    chances: dict[str, dict[str, dict[str, Fraction]]] = {}
    paying: dict[str, dict[str, None]] = {}
    for bet in found:
        if bet.given.get("up_card") != ANY:
            chances.setdefault(bet.bet, {})[bet.given.get("up_card", "")] = _events(bet)
            paying.setdefault(bet.bet, {}).update(dict.fromkeys(_paying(bet)))
    return GameOdds(game, chances, {bet: tuple(events) for bet, events in paying.items()}, hand)


def _events(bet: Bet) -> dict[str, Fraction]:
    """Of Easy Jack's main wager only the natural: the rest is how people play."""
    events: dict[str, Fraction] = {}
    for outcome in bet.outcomes:
        name = _name(bet, outcome)
        events[name] = events.get(name, Fraction(0)) + outcome.probability
    return events


def _paying(bet: Bet) -> list[str]:
    named = (_name(bet, outcome) for outcome in bet.outcomes if outcome.pays is not None)
    return [name for name in dict.fromkeys(named) if name != NO_NATURAL]


def _name(bet: Bet, outcome: BetOutcome) -> str:
    if bet.bet == MAIN:
        return NATURAL if outcome.event in (NATURAL, BOTH) else NO_NATURAL
    return outcome.event.removesuffix(WITH_NATURAL)
