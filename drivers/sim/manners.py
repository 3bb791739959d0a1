"""What a crew must know of a game to play it; told from outside, for nothing here knows any rules.

Cards are two characters, amounts cents, chances 0 to 1.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

Step = Literal["seats", "dealer up", "dealer down"]
"""A step of the deal: a card to each seat in order, or one to the dealer."""


@dataclass(frozen=True, slots=True)
class Circle:
    """How players use one betting circle of a seat."""

    name: str
    stakes: Sequence[int]
    chance: float = 1.0
    """That a seat that plays uses it."""
    like_first: bool = False
    """It holds what the first circle holds, and doubles and splits are for both together."""
    at_most_first: bool = False
    late: bool = False
    """Chips come after the deal, while its lamp says that it is open."""
    at_splits: bool = False
    """And once more at each split."""


@dataclass(frozen=True, slots=True)
class Held:
    """What a player looks at who is to act."""

    hands: tuple[tuple[str, ...], ...]
    """All hands of the seat, in the order of play."""
    turn: int
    """Which one is to act, counted from 0."""
    up: str
    """The dealer's up-card; empty where there is none."""
    plays_on: bool
    """The hand has said `play`."""


@dataclass(frozen=True, slots=True)
class Manners:
    """How one game is played at the table."""

    circles: tuple[Circle, ...]
    """As the sensors count them; the first one makes a seat active."""
    deal: tuple[Step, ...]
    count: Callable[[Sequence[str]], str]
    """What the dealer calls a hand: "17", "soft 17"."""
    advise: Callable[[Held], str]
    """The key for a hand that is to act, by a good strategy."""
    chip: int = 1
    says_play: bool = False
    """There is a key for playing a hand on."""
    insures_for_less: bool = False
    """Insurance may be for less than half."""
