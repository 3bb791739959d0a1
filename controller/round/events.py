"""What goes into a round and what comes out of it, as frozen records without time or source."""

from dataclasses import dataclass, field

from controller.cards import Card
from controller.games.layout import Settlement


@dataclass(frozen=True, slots=True)
class WagerAlert:
    """A wager appeared, vanished or changed when it may not. The latched wagers stay as they are."""

    seat: int
    spot: str
    text: str


@dataclass(frozen=True, slots=True)
class Peeked:
    """The dealer looked: the face-down card makes a natural, or not."""

    natural: bool


@dataclass(frozen=True, slots=True)
class Revealed:
    card: Card


@dataclass(frozen=True, slots=True)
class Settled:
    lines: tuple[Settlement, ...]


Command = WagerAlert | Peeked | Revealed | Settled


@dataclass(frozen=True, slots=True)
class Wager:
    """What a sensor sees on a spot now. `cents` is None for chips of unknown amount, and without chips."""

    seat: int
    spot: str
    present: bool
    cents: int | None = None

    def __post_init__(self) -> None:
        if self.cents is not None and (self.cents < 1 or not self.present):
            raise ValueError(f"an amount is at least one cent on a spot with chips, not {self}")


@dataclass(frozen=True, slots=True)
class Key:
    """A key that the dealer pressed. Seat 0 is the whole table; `cents` is the amount if the key takes
    one."""

    action: str
    seat: int = 0
    cents: int | None = None


@dataclass(frozen=True, slots=True)
class CardOut:
    card: Card = field(repr=False)  # it may lie face down: no report of an error names it


@dataclass(frozen=True, slots=True)
class Void:
    who: str
    why: str


@dataclass(frozen=True, slots=True)
class Jackpot:
    """What the jackpot of a spot displays when betting has closed, in cents.

    `seed`: what begins it again once all of it is won; None: the default of the bet. `linked`: several tables
    play for it, so the round does not know what a share of it pays.
    """

    spot: str
    cents: int
    seed: int | None = None
    linked: bool = False

    def __post_init__(self) -> None:
        if self.cents < 1:
            raise ValueError(f"a jackpot is at least one cent, not {self}")


Event = Wager | Key | CardOut | Void | Jackpot


class EventRefused(Exception):
    """An event that the round does not allow now. Nothing has changed."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason
