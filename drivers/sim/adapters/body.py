"""The parts of a commercial shoe: mechanics with a plain lock or none, and request fields for raw bytes."""

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
        if not isinstance(value, str):
            raise RequestError("must be hexadecimal digits")
        try:
            return bytes.fromhex(value)
        except ValueError as error:
            raise RequestError("must be hexadecimal digits, two for each byte") from error


RAW: Final[Mapping[str, Field]] = {"raw": HexField()}

OPEN = 1_000_000_000
"""A permit without a practical limit."""


class PlainShoeBody(ShoeBody):
    """A shoe without permits. `locks`: whether this make has a lock."""

    locks = True

    def lock_it(self, *, locked: bool) -> bool:
        """Turns the lock. Returns whether that changed anything."""
        before = self._up_to
        self._set_permit(0 if locked else OPEN)
        return before != self._up_to

    @property
    def locked(self) -> bool:
        return self._up_to == 0

    def boot(self, now: float) -> None:
        """Counts the card that was on its way when the power went."""
        if self._memory.moving:
            self._memory.end_card()
        super().boot(now)
        self.lock_it(locked=self.locks)

    def on_safe(self) -> None:
        """Does nothing, because such a shoe does not know that its host has gone."""


class OpenShoeBody(PlainShoeBody):
    locks = False
