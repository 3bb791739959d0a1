"""The trials of a bet in a round: what could have happened, and what did.

A bet on the dealer's hand is one trial a round, however many seats made it, because they all win or lose
together. A bet on a seat's own cards is one trial a wager.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from json import loads
from typing import NamedTuple

from controller.cards import Card
from controller.games import open_game
from controller.games.bets import blazing_7s, buster, dealer_bust, ez_bust, insurance
from controller.games.bets.hedge import SPOTS as HEDGES
from controller.games.game import Game
from controller.games.points import UP_RANKS, VALUES
from controller.odds.bet import ANY, Bet, BetOutcome
from controller.odds.dealer import DealerOdds
from controller.odds.exact import NoOdds, bets
from controller.odds.exact import dealer as dealer_odds
from controller.odds.side_bets import MOST
from controller.past.reports.played_rules import PlayedRules
from controller.table.record.views import LineView, RoundView

PER_ROUND = "rounds"
PER_WAGER = "wagers"
PER_HAND = "hands"
"""What trials are counted in."""


class Trial(NamedTuple):
    """`up_card`: its rank if it was known when the bet was made, else ""; `event`: what happened."""

    bet: str
    unit: str
    up_card: str
    event: str


_trial = lru_cache(maxsize=1_000)(Trial)
"""Rounds share their trials."""


def trials(game: Game, seen: RoundView) -> Iterator[Trial]:
    """The trials of one settled round."""
    by_wager: dict[str, list[LineView]] = {}
    for line in seen.lines:
        by_wager.setdefault(line.wager, []).append(line)
    for bet, lines in by_wager.items():
        if bet in BY_DEALER and (event := BY_DEALER[bet](game, seen, lines)):
            yield _trial(bet, PER_ROUND, up_card(seen) if bet in AFTER_THE_DEAL else "", event)
        elif bet == blazing_7s.SPOT:
            yield from (_trial(bet, PER_WAGER, "", _sevens(line)) for line in lines)
        elif bet == MAIN and game.name == EASY_JACK:
            yield from (_trial(bet, PER_HAND, "", _own_natural(game, seen, line)) for line in lines)


def up_card(seen: RoundView) -> str:
    """The rank of the dealer's first card, as the odds name it."""
    return UP_RANKS[VALUES[Card(seen.dealer.cards[0])] - 1]


def dealer(seen: RoundView) -> tuple[Card, ...]:
    return tuple(map(Card, seen.dealer.cards))


def _ez_bust(_game: Game, seen: RoundView, lines: list[LineView]) -> str:
    """Empty if the dealer did not draw because no hand was left."""
    if lines[0].reason == ez_bust.RESULTS["not drawn"][1]:
        return ""
    return EZ_BUST[ez_bust.dealt_out(dealer(seen))]


def _bust(game: Game, seen: RoundView, _lines: list[LineView]) -> str:
    cards = dealer(seen)
    return f"bust with {len(cards)} cards" if game.bust(cards) else "no bust"


def _buster(game: Game, seen: RoundView, lines: list[LineView]) -> str:
    many = len(seen.dealer.cards) >= MOST and game.bust(dealer(seen))
    return f"bust with {MOST} or more cards" if many else _bust(game, seen, lines)


def _insurance(game: Game, seen: RoundView, _lines: list[LineView]) -> str:
    return "dealer natural" if game.natural(dealer(seen)) else "no dealer natural"


def _hedge(bet: str) -> "ByDealer":
    total = int(bet.rpartition("-")[2])

    def happened(game: Game, seen: RoundView, _lines: list[LineView]) -> str:
        hit = game.total(dealer(seen)) == total
        return f"dealer ends with {total}" if hit else "another total"

    return happened


def _sevens(line: LineView) -> str:
    return SEVENS.get(line.reason.partition(":")[0], NO_SEVEN)


def _own_natural(game: Game, seen: RoundView, line: LineView) -> str:
    """Of Easy Jack's main wager, only the natural does not depend on how people play."""
    hands = next(seat.hands for seat in seen.seats if seat.seat == line.seat)
    cards = tuple(map(Card, hands[line.hand - 1].cards))
    return NATURAL if game.natural(cards) else NO_NATURAL


ByDealer = Callable[[Game, RoundView, list[LineView]], str]
MAIN = "main"
EASY_JACK = "easy-jack"
NO_SEVEN = "no 7"
NATURAL = "natural"
NO_NATURAL = "no natural"
EZ_BUST: Mapping[str, str] = {
    "suited bust": "suited bust",
    "bust": "bust",
    "two cards": "stands on two cards",
    "drew": "draws and does not bust",
}
"""From the names in the rules to those in the odds."""
SEVENS: Mapping[str, str] = {reason: event for event, reason in blazing_7s.REASONS.items()}
BY_DEALER: Mapping[str, ByDealer] = {
    ez_bust.SPOT: _ez_bust,
    dealer_bust.SPOT: _bust,
    buster.SPOT: _buster,
    insurance.SPOT: _insurance,
    **{bet: _hedge(bet) for bet in HEDGES},
}
AFTER_THE_DEAL = frozenset({ez_bust.SPOT, insurance.SPOT, *HEDGES})
"""Bets that are made after the up-card is dealt."""


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
        found, hand = bets(game), dealer_odds(game)
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
