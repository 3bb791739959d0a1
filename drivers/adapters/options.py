"""Names and options of commercial shoes in the configuration."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal, get_args

RATES: Final[Mapping[str, int]] = {"angel-eye-2ex": 4800, "bee-tek": 9600}
"""The usual baud rate of each make."""
NAMES: Final = frozenset(RATES)
WITHOUT_CUT: Final = frozenset({"bee-tek"})
"""Makes that do not report the cut card."""

RMeaning = Literal["ask", "retransmission", "redeal"]
Numbers = Literal["counted", "ignored"]
R_MEANINGS: tuple[RMeaning, ...] = get_args(RMeaning)
NUMBERS: tuple[Numbers, ...] = get_args(Numbers)


@dataclass(frozen=True, slots=True)
class AdapterOptions:
    """Options where the documents leave a meaning open.

    `r_means` says what message R of an Angel Eye is: a card that was sent before, a new card, or a question
    to a person. `sequence` says whether a jump of its sequence numbers shows that a message was lost.
    """

    r_means: RMeaning = "ask"
    sequence: Numbers = "counted"
