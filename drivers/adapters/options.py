"""What a table can choose for its commercial shoe, where the documents leave it open."""

from dataclasses import dataclass
from typing import Literal, get_args

Meaning = Literal["ask", "retransmission", "redeal"]
Numbers = Literal["counted", "ignored"]
MEANINGS: tuple[Meaning, ...] = get_args(Meaning)
NUMBERS: tuple[Numbers, ...] = get_args(Numbers)


@dataclass(frozen=True, slots=True)
class Options:
    """`r_means`: what message R of an Angel Eye is: a card that was sent before, a new one, or a person is
    asked. `sequence`: whether a jump of its sequence numbers shows that a message was lost."""

    r_means: Meaning = "ask"
    sequence: Numbers = "counted"
