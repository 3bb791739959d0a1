"""The cards on the felt, as hands have laid them. The table sees only what the shoe reads."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from controller.demo.crew.equipment import BURNED
from controller.demo.crew.played_round import DOWN, UP, HandPosition
from controller.demo.simulator.errors import Impossible
from controller.demo.simulator.places import MOST_HANDS, heap, is_face_down, place_name


@dataclass(frozen=True, slots=True)
class LaidCard:
    card: str
    down: bool = False
    """It lies face down, and nobody has seen it."""


@dataclass(frozen=True, slots=True)
class HeldCard:
    """The card in the dealer's hand. `due`: where the table expects it; None if nowhere, or if it was picked
    up from the felt."""

    laid: LaidCard
    due: HandPosition | None


@dataclass(slots=True)
class Felt:
    hands: dict[HandPosition, list[LaidCard]] = field(default_factory=dict)
    """By the place of the hand, in the order in which cards were laid."""
    burned: int = 0
    held: HeldCard | None = None

    @property
    def empty(self) -> bool:
        return not any(self.hands.values()) and not self.burned

    @property
    def hides(self) -> bool:
        """The dealer has a face-down card."""
        return any(each.down for each in self.hands.get(UP, []))

    def take(self, card: str, due: HandPosition | None) -> None:
        """A card comes out of the shoe into the dealer's hand."""
        self.held = HeldCard(LaidCard(card, is_face_down(due)), due)

    def lay(self, place: HandPosition | None) -> None:
        """Lays the held card; None: where the table expects it. Raises Impossible."""
        if self.held is None:
            raise Impossible("the hand is empty: draw a card first, or pick one up")
        place = place or self.held.due
        if place is None:
            raise Impossible("the table expects this card nowhere: choose a place")
        held, self.held = self.held, None
        if place == BURNED:
            self.burned += 1
        else:
            self.hands.setdefault(heap(place), []).append(LaidCard(held.laid.card, down=place == DOWN))

    def pick_up(self, place: HandPosition, number: int) -> None:
        """Picks up a card, counted from 1. Raises Impossible."""
        cards = self.hands.get(heap(place), [])
        if self.held is not None:
            raise Impossible("there is a card in the hand: lay it first")
        if not 1 <= number <= len(cards):
            raise Impossible(f"card {number} at {place_name(place)}: not there; {len(cards)} lie there")
        self.held = HeldCard(cards.pop(number - 1), None)

    def turn(self) -> None:
        """Turns the dealer's face-down cards over. Raises Impossible."""
        if not self.hides:
            raise Impossible("the dealer has no face-down card")
        self.hands[UP] = [LaidCard(each.card) for each in self.hands[UP]]

    def split(self, place: HandPosition) -> None:
        """Makes two hands of a hand of two cards; the later hands of the seat move on by one."""
        cards = self.hands.get(place, [])
        later = [HandPosition(place.seat, hand) for hand in range(place.hand + 1, MOST_HANDS)]
        if len(cards) != 2 or self.hands.get(later[-1] if later else place):
            return
        for to, source in zip(reversed(later), reversed([place, *later[:-1]]), strict=True):
            self.hands[to] = self.hands.get(source, [])
        self.hands[place], self.hands[later[0]] = cards[:1], cards[1:]

    def collect(self) -> None:
        """Puts all cards into the discard rack."""
        self.hands.clear()
        self.burned, self.held = 0, None

    def cards(self, place: HandPosition) -> Sequence[str]:
        """The cards of a hand that can be seen."""
        return [each.card for each in self.hands.get(place, []) if not each.down]
