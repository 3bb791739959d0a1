"""What follows from an event and must be noted; lamps and prompts follow from the state instead."""

from dataclasses import dataclass

from controller.cards import Card
from controller.games.layout import Settlement


@dataclass(frozen=True, slots=True)
class Alert:
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


Command = Alert | Peeked | Revealed | Settled
