"""Counts every card that left the shoe, and compares the counts with the decks in it."""

from collections import Counter
from dataclasses import dataclass, field
from typing import Literal

CardFate = Literal["dealt", "burned", "unread"]
"""`unread`: neither the shoe nor a person named it, and it has no place."""


@dataclass(slots=True)
class CardLedger:
    """The cards of one shoe: how often each was seen, and how many left unseen.

    A face-down card counts as unseen until it is turned: an alarm before that would name it.
    """

    decks: int
    seen: Counter[str] = field(default_factory=Counter)
    unseen: int = 0
    fates: Counter[str] = field(default_factory=Counter)
    """How many cards met each CardFate."""
    first_round: int = 1
    """The first round whose cards are all of this shoe."""
    count_at_load: int | None = None
    """The shoe's own count of cards when it was loaded; None if the journal does not have it."""
    last_shoe: str = ""
    """What became of the cards of the shoe before, in a sentence."""

    @property
    def out(self) -> int:
        """How many cards have left."""
        return self.seen.total() + self.unseen

    def add(self, card: str, fate: CardFate = "dealt") -> str:
        """One more card is out; `card` is empty if unseen. Returns a sentence if it cannot exist."""
        self.fates[fate] += 1
        return self._see(card)

    def add_lost(self, cards: int) -> None:
        """This number of further cards left the shoe, and no event named them."""
        self.fates["unread"] += cards
        self.unseen += cards

    def reveal(self, card: str) -> str:
        """A face-down card is turned. Returns a sentence if it cannot exist."""
        self.unseen -= 1
        return self._see(card)

    def hide(self, card: str) -> None:
        """A card that was seen counts as face down once more."""
        self.seen[card] -= 1
        self.unseen += 1

    def correct(self, old: str, new: str) -> None:
        """A card that was seen is another one than was read."""
        self.seen[old] -= 1
        self.seen[new] += 1

    def overcount(self, card: str) -> str:
        """A sentence if one more of it cannot be, else empty."""
        came = self.seen[card] + 1
        text = f"Card {card} has come {came} times; {self.decks} decks hold {self.decks}."
        return text if came > self.decks else ""

    def _see(self, card: str) -> str:
        if not card:
            self.unseen += 1
            return ""
        wrong = self.overcount(card)
        self.seen[card] += 1
        return wrong
