"""Rounds by the thousand, played well through the Round that runs the table, each from a fresh shoe."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import nan, sqrt
from random import Random

from controller.cards import DECK, Card
from controller.games.game import Game
from controller.round.events import CardOut, Key, Wager
from controller.round.round import Round

STAKE = 1000
"""Chips on each spot, where its limits allow them."""
REPORT_EVERY = 1000


@dataclass(slots=True)
class Tally:
    """One wager over all rounds, in cents."""

    wager: str
    count: int = 0
    staked: int = 0
    paid: int = 0
    squares: int = 0

    def add(self, staked: int, paid: int) -> None:
        """One more settled wager."""
        self.count += 1
        self.staked += staked
        self.paid += paid
        self.squares += paid * paid

    @property
    def house_edge(self) -> float:
        """The house's mean gain per unit staked."""
        return -self.paid / self.staked if self.staked else nan

    @property
    def standard_error(self) -> float:
        """Of the house edge; every wager of a tally has the same stake."""
        if self.count < 2:
            return nan
        variance = (self.squares - self.paid * self.paid / self.count) / (self.count - 1)
        return sqrt(variance / self.count) * self.count / self.staked


def simulate(
    game: Game, rounds: int, seed: int, progress: Callable[[int], None] = lambda _: None
) -> tuple[Tally, ...]:
    """One tally per wager after `rounds` rounds of one seat; the same seed gives the same rounds.

    `progress` hears how many rounds more are played.
    """
    tallies = {spot: Tally(spot) for spot in game.spots}
    wagers = [Wager(1, spot, True, _stake(game, spot)) for spot in game.spots]
    shoe = Shoe(game.options.decks, Random(seed))
    for number in range(1, rounds + 1):
        for line in _play(game, wagers, shoe.fresh()).settlements:
            if line.amount is not None and line.paid is not None:
                tallies[line.wager].add(line.amount, line.paid)
        if number % REPORT_EVERY == 0 or number == rounds:
            progress((number - 1) % REPORT_EVERY + 1)
    return tuple(tallies.values())


class Shoe:
    """Draws without replacement; only the cards that are drawn are shuffled."""

    def __init__(self, decks: int, random: Random) -> None:
        self._cards = list(DECK) * decks
        self._random = random.random

    def fresh(self) -> Iterator[Card]:
        """All cards in a new order; whatever order they lay in before."""
        cards, random, size = self._cards, self._random, len(self._cards)
        for place in range(size):
            other = place + int(random() * (size - place))
            cards[place], cards[other] = cards[other], cards[place]
            yield cards[place]


def _stake(game: Game, spot: str) -> int:
    chip = game.options.chip
    least, most = game.options.limits.get(spot, (chip, STAKE * chip))
    return max(1, -(-least // chip), min(STAKE, most // chip)) * chip


def _play(game: Game, wagers: list[Wager], shoe: Iterator[Card]) -> Round:
    played = Round(game, seats=1)
    for wager in wagers:
        played.handle(wager)
    played.handle(Key("close"))
    while played.phase != "paying":
        if played.phase == "playing" and (advice := played.advice) not in ("", "hit"):
            played.handle(Key(advice, 1))
        else:
            played.handle(CardOut(next(shoe)))
    return played
