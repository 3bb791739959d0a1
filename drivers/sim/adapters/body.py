"""Bytes that a hand has a simulated shoe say, whatever they are.

The mechanics of a shoe with a plain lock, or with none: it knows of no permit.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from drivers.sim.requests import REQUIRED, Field, RequestError
from drivers.sim.shoe import ShoeBody


@dataclass(frozen=True, slots=True)
class HexField:
    """Bytes as hexadecimal digits, with or without spaces."""

    default: object = REQUIRED

    def read(self, value: object) -> object:
        """The bytes."""
        if not isinstance(value, str):
            raise RequestError("must be hexadecimal digits")
        try:
            return bytes.fromhex(value)
        except ValueError as error:
            raise RequestError("must be hexadecimal digits, two for each byte") from error


RAW: Final[Mapping[str, Field]] = {"raw": HexField()}

OPEN = 1_000_000_000
"""A permit that no shoe comes to the end of."""


class PlainShoeBody(ShoeBody):
    """`locks` is what the make has: without a lock any card may leave, always."""

    locks = True

    def lock_it(self, *, locked: bool) -> bool:
        """Turn the lock; whether that changed anything."""
        before = self._up_to
        self._set_permit(0 if locked else OPEN)
        return before != self._up_to

    @property
    def locked(self) -> bool:
        """No card may leave."""
        return self._up_to == 0

    def boot(self, now: float) -> None:
        """Count the card that was on its way when the power went."""
        if self._memory.moving:
            self._memory.end_card()
        super().boot(now)
        self.lock_it(locked=self.locks)

    def on_safe(self) -> None:
        """Nobody tells it that the host has gone."""


class OpenShoeBody(PlainShoeBody):
    """Without a lock."""

    locks = False
