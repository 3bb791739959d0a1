"""What the console's keys are called, and which letter of a keyboard presses each."""

from collections.abc import Mapping

LABELS: Mapping[str, str] = {
    "hit": "Hit",
    "stand": "Stand",
    "double": "Double",
    "split": "Split",
    "surrender": "Surrender",
    "play": "Play",
    "quick-pay": "Quick Pay",
    "insurance": "Insure",
    "even-money": "Even money",
    "pay": "Paid",
}
LETTERS: Mapping[str, str] = {
    "hit": "h",
    "stand": "s",
    "double": "d",
    "split": "p",
    "surrender": "r",
    "play": "y",
    "quick-pay": "q",
    "close": "c",
    "pay": "a",
}
"""Of keys for the hand whose turn it is, and for the whole table."""
DIGITS: Mapping[str, str] = {"insurance": "123456789", "even-money": "qwertyuio", "pay": "123456789"}
"""Of keys by seat, seat 1 first: the row of digits, and the row of letters below it."""
TABLE_KEY_LABELS: Mapping[str, str] = {
    "betting": "No more bets",
    "insuring": "Close insurance",
    "offering": "Close {window}",
    "paying": "All paid",
}
"""By phase: what the key for the whole table says."""
SHOE_LOADED = "Shoe is loaded"
