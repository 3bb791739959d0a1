"""One seat plays well through the Round that runs the table, and places every bet that it can."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from random import Random

from controller.cards import DECK, Card
from controller.games.game import Game
from controller.games.layout import Settlement
from controller.games.points import up_rank
from controller.odds.tally import MAIN, BetTallies
from controller.round.events import CardOut, Event, Jackpot, Key, Wager
from controller.round.round import Round

SEAT = 1
STAKE = 1000
"""Chips on each spot, if its limits allow that."""
CLOSE = Key("close")
INSURANCE = Key("insurance", SEAT)

CARDS = {card: CardOut(card) for card in DECK}


class ShuffledShoe:
    """Draws without replacement, and shuffles only the cards that are drawn."""

    def __init__(self, decks: int, random: Random) -> None:
        self._cards = list(DECK) * decks
        self._random = random.random

    def fresh(self) -> Iterator[Card]:
        """All cards in a new random order."""
        cards, random, size = self._cards, self._random, len(self._cards)
        for place in range(size):
            other = place + int(random() * (size - place))
            cards[place], cards[other] = cards[other], cards[place]
            yield cards[place]


class Player:
    """What one seat puts on every spot, and how it plays a round by the game's strategy.

    `meters`: the jackpots in cents, the same in every round. The seat places nothing at splits, because
    the odds of a bet are those before any hand is seen.
    """

    def __init__(self, game: Game, meters: Mapping[str, int]) -> None:
        self.game, self.meters = game, meters
        self.wagers = {spot: stake(game, spot) for spot in game.spots}
        """The stake on every spot, in cents."""
        self.hand_wagers = {spot: self.wagers[spot] for spot in game.hand_spots}
        self.staked = sum(self.hand_wagers.values())
        """What the hand is played for before any double or split, in cents."""
        self.after_the_deal = {*game.late, INSURANCE.action}
        """Bets that are made when the up-card is known."""
        wagers = {spot: Wager(SEAT, spot, True, cents) for spot, cents in self.wagers.items()}
        early = [wager for spot, wager in wagers.items() if spot not in game.late]
        jackpots = [Jackpot(spot, meters[spot]) for spot in game.meters]
        self._opening: list[Event] = [*early, CLOSE, *jackpots]
        self._late = {spot: wager for spot, wager in wagers.items() if spot in game.late}
        self._on_hand = frozenset({*game.hand_spots, game.main})

    def on_hand(self, wager: str) -> bool:
        """Whether a settlement line with this wager belongs to the main bet."""
        return wager in self._on_hand

    def play(self, shoe: Iterator[Card]) -> Round:
        """A settled round; raises EventRefused if no stake fits the options."""
        played = Round(self.game, seats=SEAT)
        for event in self._opening:
            played.handle(event)
        while (phase := played.phase) != "paying":
            STEPS[phase](self, played, shoe)
        return played

    def count(self, played: Round, tallies: BetTallies) -> None:
        """Adds the results of the round's bets."""
        by_bet: dict[str, list[Settlement]] = defaultdict(list)
        for line in played.settlements:
            by_bet[MAIN if self.on_hand(line.wager) else line.wager].append(line)
        up = up_rank(Card(played.dealer.cards[0])) if self.game.windows else ""
        for bet, lines in by_bet.items():
            staked = self.staked if bet == MAIN else sum(line.amount or 0 for line in lines)
            paid = sum(line.paid or 0 for line in lines)
            results = [line.pays or line.outcome for line in lines]
            tallies.of(bet, up if bet in self.after_the_deal else "").add(staked, paid, results)

    def card(self, played: Round, shoe: Iterator[Card]) -> None:
        played.handle(CARDS[next(shoe)])

    def insure(self, played: Round, _shoe: Iterator[Card]) -> None:
        """Takes insurance whenever it is offered, and never even money."""
        played.handle(INSURANCE if "insurance" in played.keys else CLOSE)

    def offer(self, played: Round, _shoe: Iterator[Card]) -> None:
        """Places a wager on each spot that opens after the deal."""
        if len(played.seats[SEAT].hands) == 1:
            for spot in played.invited[SEAT]:
                played.handle(self._late[spot])
        played.handle(CLOSE)

    def act(self, played: Round, shoe: Iterator[Card]) -> None:
        advice = played.advice
        if advice in ("", "hit"):
            self.card(played, shoe)
        else:
            played.handle(Key(advice, SEAT))


STEPS: dict[str, Callable[[Player, Round, Iterator[Card]], None]] = {
    "dealing": Player.card,
    "insuring": Player.insure,
    "offering": Player.offer,
    "playing": Player.act,
    "drawing": Player.card,
}
"""What the seat does in each phase."""


def stake(game: Game, spot: str) -> int:
    """The fixed stake of a spot, or STAKE chips within its limits."""
    if (fixed := game.fixed_stake(spot)) is not None:
        return fixed
    chip = game.options.chip
    least, most = game.options.limit(spot)
    chips = STAKE if most is None else min(STAKE, most // chip)
    return max(1, -(-least // chip), chips) * chip
