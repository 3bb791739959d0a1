"""Bytes that a hand has a simulated shoe say, whatever they are."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from drivers.sim.requests import REQUIRED, Field, RequestError


@dataclass(frozen=True, slots=True)
class Hex:
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


RAW: Final[Mapping[str, Field]] = {"raw": Hex()}
