"""Tables of the dealer's hands: when the dealer draws, and how the hand ends."""

from collections.abc import Hashable, Iterator, Mapping
from functools import cached_property

from controller.cards import DECK, Card
from controller.games.game import Game
from controller.games.layout import Hand, Layout, Seat
from controller.games.points import UP_RANKS, up_rank
from controller.odds.kernel.hand_states import Cards, dealer_end_trait, dealer_trait, explore, three_alike
from controller.odds.kernel.loop import ROOT

NO_SEATS: Mapping[int, Seat] = {}


class DealerHands:
    """The hands of a game's dealer: the up-card, the hole card and the draws, in this order."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.has_up_card = "dealer up" in game.deal
        self.first_cards = len(game.deal) - game.deal.count("seats")
        self.states = explore(dealer_trait, self._draws)

    def layout(self, cards: Cards, seats: Mapping[int, Seat] = NO_SEATS) -> Layout:
        up = cards[0] if self.has_up_card else None
        hole, *drawn = cards[1:] if self.has_up_card else cards
        return Layout(dict(seats), up, hole, tuple(drawn))

    def shows(self, cards: Cards) -> bool:
        """Whether the dealer looks and has a natural."""
        if len(cards) != self.first_cards:
            return False
        layout = self.layout(cards)
        return self.game.peeks(layout) and self.game.natural(layout.dealer)

    def takes(self, cards: Cards) -> bool:
        """Whether the dealer, with all cards face up, takes one more if a wager needs it."""
        return len(cards) >= self.first_cards and self.game.dealer_takes(cards)

    def against_hands(self, cards: Cards) -> Hashable:
        """What of a complete hand counts against the hands of players. Other wagers look at more of it."""
        return self._value(cards), self.shows(cards), three_alike(cards)

    def dealt(self, up: int) -> Iterator[Cards]:
        """The first cards of every state, with an up-card of this rank."""
        for cards in self.states.hands:
            if len(cards) == self.first_cards and up == self._up(cards):
                yield cards

    @cached_property
    def ends(self) -> tuple[list[int], list[Cards]]:
        """[state] -> how the hand ended; and an example of each end."""
        ends: dict[Hashable, int] = {}
        examples: list[Cards] = []
        table: list[int] = []
        for cards in self.states.hands:
            if not self._can_end(cards):
                table.append(0)
                continue
            end = ends.setdefault((dealer_end_trait(cards), self._value(cards)), len(ends))
            if end == len(examples):
                examples.append(cards)
            table.append(end)
        return table, examples

    @cached_property
    def by_up_card(self) -> dict[tuple[int, int], Cards]:
        """An example of each end that is possible with an up-card, by the up-card's rank and the end."""
        found: dict[tuple[int, int], Cards] = {}
        states: dict[tuple[int, int], Cards] = {(0, ROOT): ()}
        for up, state in (reached := list(states)):
            cards = states[up, state]
            if self._can_end(cards):
                found.setdefault((up, self.ends[0][state]), cards)
            if self._draws(cards):
                for card, after in zip(DECK, self.states.after(state), strict=True):
                    longer = (*cards, card)
                    if (self._up(longer), after) not in states:
                        states[self._up(longer), after] = longer
                        reached.append((self._up(longer), after))
        return found

    def _draws(self, cards: Cards) -> bool:
        return len(cards) < self.first_cards or self.game.dealer_takes(cards)

    def _can_end(self, cards: Cards) -> bool:
        """With the first cards, even if the dealer takes one more only where a wager needs it."""
        return len(cards) == self.first_cards or (
            len(cards) > self.first_cards and not self.game.dealer_takes(cards)
        )

    def _up(self, cards: Cards) -> int:
        """The rank of the up-card; 0 in games without one."""
        return UP_RANKS.index(up_rank(cards[0])) if self.has_up_card else 0

    def _value(self, cards: Cards) -> Hashable:
        game = self.game
        return game.total(cards), game.bust(cards), game.natural(cards), game.label(Hand(cards, "stand"))


def up_ranks() -> list[int]:
    """[card] -> rank of the up-card, with NO_CARD."""
    return [*(UP_RANKS.index(up_rank(Card(card))) for card in DECK), 0]
