"""What numbers on the link may be; section 15 of firmware-protocol/README.md."""

from typing import Final

HIGHEST: Final = 2**52
"""No event number, count of cards or action key is above it. At a thousand a second it lasts for 142,000
years."""
STEP: Final = 2**32
"""A device takes an action key that is at most so far above the highest one it has seen, and a session has at
most so many events. At ten commands a second it lasts 13 years."""
