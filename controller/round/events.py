"""What follows from an event and must be noted; lamps and prompts follow from the state instead.

What happens at a table, as far as a round cares: frozen records without time or source.
"""

from dataclasses import dataclass, field

from controller.cards import Card
from controller.games.layout import Settlement


@dataclass(frozen=True, slots=True)
class WagerAlert:
    """A wager came, went or changed when it may not; what was latched stays as it was."""

    seat: int
    spot: str
    text: str


@dataclass(frozen=True, slots=True)
class Peeked:
    """The dealer looked: the face-down card makes a natural, or not."""

    natural: bool


@dataclass(frozen=True, slots=True)
class Revealed:
    """The face-down card is turned."""

    card: Card


@dataclass(frozen=True, slots=True)
class Settled:
    """Every wager is decided."""

    lines: tuple[Settlement, ...]


Command = WagerAlert | Peeked | Revealed | Settled


@dataclass(frozen=True, slots=True)
class Wager:
    """What a sensor sees on a spot now; `cents` is None where it sees chips but no amount, or no chips."""

    seat: int
    spot: str
    present: bool
    cents: int | None = None

    def __post_init__(self) -> None:
        if self.cents is not None and (self.cents < 1 or not self.present):
            raise ValueError(f"an amount is at least one cent on a spot with chips, not {self}")


@dataclass(frozen=True, slots=True)
class Key:
    """The dealer pressed a key; seat 0 is the whole table, `cents` an amount where the key takes one."""

    action: str
    seat: int = 0
    cents: int | None = None


@dataclass(frozen=True, slots=True)
class CardOut:
    """The next card has left the shoe."""

    card: Card = field(repr=False)  # it may lie face down: no report of an error names it


@dataclass(frozen=True, slots=True)
class Void:
    """A supervisor calls the round off."""

    who: str
    why: str


@dataclass(frozen=True, slots=True)
class Jackpot:
    """What the jackpot of a spot stands at once betting has closed, in cents.

    `seed`: what is put into it again in the round once all of it is won; None: what the bet has by default.
    """

    spot: str
    cents: int
    seed: int | None = None

    def __post_init__(self) -> None:
        if self.cents < 1:
            raise ValueError(f"a jackpot is at least one cent, not {self}")


Event = Wager | Key | CardOut | Void | Jackpot


class EventRefused(Exception):
    """An event that the round does not allow now; nothing has changed."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason
