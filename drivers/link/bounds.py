"""Bounds of the numbers on the link; section 15 of firmware-protocol/README.md."""

from typing import Final

HIGHEST: Final = 2**52
"""The highest event number, count of cards and action key. At a thousand a second it lasts for 142,000
years."""
STEP: Final = 2**32
"""How far above the highest action key it has seen a device accepts a key, and the most events of a session.
At ten commands a second it lasts 13 years."""
