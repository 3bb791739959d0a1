"""What the line of any commercial shoe reports: frozen records.

Cards have two characters ("Ts"). An empty card is one that the shoe could not read.
"""

from dataclasses import dataclass

from drivers.link.reports import Down

__all__ = [
    "CardSeen",
    "CardSeenOutside",
    "CardStuck",
    "CutCardSeen",
    "Doubt",
    "Down",
    "Observation",
    "Remark",
    "ShoeFault",
    "ShoeRestarted",
    "ShoeUp",
]


@dataclass(frozen=True, slots=True)
class ShoeUp:
    """The shoe answers, and is locked if it has a lock."""


@dataclass(frozen=True, slots=True)
class CardSeen:
    """A card left the shoe."""

    card: str


@dataclass(frozen=True, slots=True)
class CardSeenOutside:
    """A card left that, by the shoe's own account, should not have left, or that a person must place."""

    card: str


@dataclass(frozen=True, slots=True)
class CutCardSeen:
    """The cut card left."""


@dataclass(frozen=True, slots=True)
class ShoeFault:
    """A fault of the shoe came or went."""

    code: int
    on: bool
    text: str


@dataclass(frozen=True, slots=True)
class CardStuck:
    """A card is stuck, or is free again."""

    on: bool


@dataclass(frozen=True, slots=True)
class ShoeRestarted:
    """The shoe restarted."""


@dataclass(frozen=True, slots=True)
class Doubt:
    """A card may have left unseen. `why` is a sentence for a technician."""

    why: str


@dataclass(frozen=True, slots=True)
class Remark:
    """A sentence for a technician. It has no other effect."""

    text: str


Observation = (
    ShoeUp
    | CardSeen
    | CardSeenOutside
    | CutCardSeen
    | ShoeFault
    | CardStuck
    | ShoeRestarted
    | Doubt
    | Remark
    | Down
)
