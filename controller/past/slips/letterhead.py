"""The house on a slip."""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Letterhead:
    """The name of the house, and its logo as an address that begins with "data:"; each may be empty."""

    name: str = ""
    logo: str = ""


NO_LETTERHEAD: Final = Letterhead()
