"""Every card out of the shoe, against the decks it was loaded with."""

from collections import Counter
from dataclasses import dataclass, field


@dataclass(slots=True)
class Ledger:
    """The cards of one shoe: how often each was seen, and how many left unseen.

    A face-down card counts as unseen until it is turned: an alarm before that would name it.
    """

    decks: int
    seen: Counter[str] = field(default_factory=Counter)
    unseen: int = 0

    @property
    def out(self) -> int:
        """How many cards have left."""
        return self.seen.total() + self.unseen

    def leave(self, card: str) -> str:
        """One more card is out, empty if nobody has seen it; a sentence if it cannot exist, else empty."""
        if not card:
            self.unseen += 1
            return ""
        self.seen[card] += 1
        if self.seen[card] <= self.decks:
            return ""
        return f"Card {card} has come {self.seen[card]} times; {self.decks} decks hold {self.decks}."

    def turn(self, card: str) -> str:
        """A card that left face down is seen now; a sentence if it cannot exist, else empty."""
        self.unseen -= 1
        return self.leave(card)
