"""A round as the crew saw and recorded it."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from controller.demo.crew.habits import PlacedBet
from controller.demo.crew.playbook import DealStep


@dataclass(frozen=True, slots=True)
class HandPosition:
    """A hand of a seat, counted from 0, that a card or a key is for."""

    seat: int
    hand: int = 0


UP: Final = HandPosition(0, 0)
DOWN: Final = HandPosition(0, 1)
DRAW: Final = HandPosition(0, 2)
DEALER: Final = UP.seat

BEFORE_THE_PEEK: Final = frozenset({"insurance", "even-money"})


@dataclass(slots=True)
class PlayedRound:
    """`script` has cards, keys and late wagers in order, in the notation of round scripts."""

    index: int
    bets: tuple[PlacedBet, ...]
    script: list[str] = field(default_factory=list)
    late: list[PlacedBet] = field(default_factory=list)
    """Wagers that came after the deal."""
    hands: dict[int, list[list[str]]] = field(default_factory=dict)
    """By seat, in the order of play."""
    dealer: list[str] = field(default_factory=list)
    """Up-card, face-down card, draws."""
    up: str = ""
    acted: bool = False
    """A hand has drawn or chosen."""
    void: bool = False

    @property
    def cards_out(self) -> int:
        return len(self.dealer) + sum(len(hand) for hands in self.hands.values() for hand in hands)

    def deal_positions(self, deal: Sequence[DealStep]) -> Sequence[HandPosition]:
        """Where the first cards go."""
        seats = tuple(map(HandPosition, sorted({bet.seat for bet in self.bets})))
        steps = {"seats": seats, "dealer up": (UP,), "dealer down": (DOWN,)}
        return [place for step in deal for place in steps[step]]

    def cards(self, place: HandPosition) -> Sequence[str]:
        """The cards of a hand; empty if there is none."""
        hands = self.hands.get(place.seat, [])
        return hands[place.hand] if place.hand < len(hands) else ()

    def add_card(self, place: HandPosition, card: str) -> None:
        self.script.append(card)
        if place == UP:
            self.up = card
            self.dealer.insert(0, card)
        elif place.seat == DEALER:
            self.dealer.append(card)
        else:
            hand = self.hands.setdefault(place.seat, [[]])[place.hand]
            self.acted |= len(hand) > 1
            hand.append(card)

    def add_key(self, place: HandPosition, action: str, cents: int | None) -> None:
        """Records a key that the table took."""
        amount = "" if cents is None else f"={cents}"
        self.script.append(f"{place.seat}:{action}{amount}")
        self.acted |= action not in BEFORE_THE_PEEK
        if action == "split":
            hands = self.hands[place.seat]
            hands[place.hand : place.hand + 1] = [[card] for card in hands[place.hand]]

    def add_late_bet(self, bet: PlacedBet, name: str) -> None:
        self.late.append(bet)
        self.script.append(f"{bet.seat}:{name}={bet.cents}")
