"""The makes of commercial shoes that there is an adapter for, as configurations name them.

What a table can choose for its commercial shoe, where the documents leave it open.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal, get_args

RATES: Final[Mapping[str, int]] = {"angel-eye-2ex": 4800, "bee-tek": 9600}
"""What each usually speaks at, in baud."""
NAMES: Final = frozenset(RATES)
WITHOUT_CUT: Final = frozenset({"bee-tek"})
"""Those that do not tell of the cut card."""

RMeaning = Literal["ask", "retransmission", "redeal"]
Numbers = Literal["counted", "ignored"]
R_MEANINGS: tuple[RMeaning, ...] = get_args(RMeaning)
NUMBERS: tuple[Numbers, ...] = get_args(Numbers)


@dataclass(frozen=True, slots=True)
class AdapterOptions:
    """`r_means`: what message R of an Angel Eye is: a card that was sent before, a new one, or a person is
    asked. `sequence`: whether a jump of its sequence numbers shows that a message was lost."""

    r_means: RMeaning = "ask"
    sequence: Numbers = "counted"
