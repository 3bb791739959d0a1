"""What the line of a commercial shoe says, whatever its make: frozen records.

Cards are two characters ("Ts"), empty where the shoe could not read one.
"""

from dataclasses import dataclass

from drivers.link.facts import Down

__all__ = [
    "Card", "CardOutside", "Cut", "Doubt", "Down", "Heard", "Remark", "Restarted", "Stuck", "Trouble", "Up",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Up:
    """The shoe is there, and locked if it has a lock."""


@dataclass(frozen=True, slots=True)
class Card:
    """A card left the shoe."""

    card: str


@dataclass(frozen=True, slots=True)
class CardOutside:
    """A card left that the shoe itself says should not have, or that a person must place."""

    card: str


@dataclass(frozen=True, slots=True)
class Cut:
    """The cut card left."""


@dataclass(frozen=True, slots=True)
class Trouble:
    """A fault of the shoe came or went."""

    code: int
    on: bool
    text: str


@dataclass(frozen=True, slots=True)
class Stuck:
    """A card is stuck, or is free again."""

    on: bool


@dataclass(frozen=True, slots=True)
class Restarted:
    """The shoe began anew."""


@dataclass(frozen=True, slots=True)
class Doubt:
    """A card may have left unseen; `why` is a sentence for a technician."""

    why: str


@dataclass(frozen=True, slots=True)
class Remark:
    """A sentence for a technician, without consequence."""

    text: str


Heard = Up | Card | CardOutside | Cut | Trouble | Stuck | Restarted | Doubt | Remark | Down
