"""Latency from a card that left the shoe to the lamps that it changed."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

INPUTS = ("card", "key", "wager", "session")
"""Notices after which lamps may change."""


@dataclass(slots=True)
class Stopwatch:
    """Collects notices. They may come in any order, because they come over the sockets of five processes."""

    inputs: list[tuple[float, str]] = field(default_factory=list)
    lamps: list[float] = field(default_factory=list)

    def notice(self, notice: Mapping[str, Any]) -> None:
        """Keeps inputs and changes of lamps. Lamps that the sensors darken by themselves are not an
        answer."""
        name, at = notice["notice"], notice["at"]
        if name == "lamps":
            self._lamps(at, safe=notice["safe"])
        elif name in INPUTS:
            self.inputs.append((at, name))

    def card_to_lamp(self) -> list[float]:
        """Seconds, for each change of lamps whose last input was a card that had not changed any yet."""
        moments = sorted([*self.inputs, *((at, "lamps") for at in self.lamps)])
        return [
            lamps_at - at
            for (at, name), (lamps_at, next_name) in pairwise(moments)
            if name == "card" and next_name == "lamps"
        ]

    def _lamps(self, at: float, safe: bool) -> None:
        if safe:
            self.inputs.append((at, "safe"))
        else:
            self.lamps.append(at)
