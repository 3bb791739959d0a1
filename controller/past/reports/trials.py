"""The trials of a bet in a round: what could have happened, and what did.

A bet on the dealer's hand is one trial a round, however many seats made it, because they all win or lose
together. A bet on a seat's own cards is one trial a wager.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from controller.cards import Card
from controller.games.bets import blazing_7s, buster, dealer_bust, ez_bust, insurance
from controller.games.bets.hedge import SPOTS as HEDGES
from controller.games.game import Game
from controller.games.points import UP_RANKS, VALUES
from controller.odds.side_bets import MOST
from controller.table.record.views import LineView, RoundView

PER_ROUND = "rounds"
PER_WAGER = "wagers"
PER_HAND = "hands"
"""What trials are counted in."""


@dataclass(frozen=True, slots=True)
class Trial:
    """`up_card`: its rank if it was known when the bet was made, else ""; `event`: what happened."""

    bet: str
    unit: str
    up_card: str
    event: str


def trials(game: Game, seen: RoundView) -> Iterator[Trial]:
    """The trials of one settled round."""
    by_wager: dict[str, list[LineView]] = {}
    for line in seen.lines:
        by_wager.setdefault(line.wager, []).append(line)
    for bet, lines in by_wager.items():
        if bet in BY_DEALER and (event := BY_DEALER[bet](game, seen, lines)):
            yield Trial(bet, PER_ROUND, up_card(seen) if bet in AFTER_THE_DEAL else "", event)
        elif bet == blazing_7s.SPOT:
            yield from (Trial(bet, PER_WAGER, "", _sevens(line)) for line in lines)
        elif bet == MAIN and game.name == EASY_JACK:
            yield from (Trial(bet, PER_HAND, "", _own_natural(game, seen, line)) for line in lines)


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
