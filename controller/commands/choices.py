"""What options may be, as help says it. The programs that know it take too long to load for a help text;
tests/controller/commands/test_choices.py compares it with them."""

from typing import Final

ADAPTERS: Final = ("angel-eye-2ex", "bee-tek")
"""The protocols of commercial shoes."""
DEVICE_CLASSES: Final = ("shoe", "shuffler", "sensors", "display", "console")
OUTCOMES: Final = ("settled", "void", "corrected", "jackpot", "bust")
"""Of a round, in searches."""
ABSENT: Final = 3
"""Rounds without a wager that end the session of a seat."""
MOST_TOKEN_DAYS: Final = 3650
"""The longest time for which a token of the API is valid."""
