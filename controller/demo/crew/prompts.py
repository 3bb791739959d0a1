"""The table's prompts as the crew reads them."""

import re
from collections.abc import Sequence
from typing import Final

CLAIM: Final = re.compile(r"^Jackpot [\d.]+, seat \d+: confirm claim \d+\. ")
"""Begins the prompt until a person has confirmed the hand: the crew plays on."""
BETTING: Final = re.compile(r"^Place your bets(?:: (?P<seen>\d+) wager)?")
BETS_AMISS: Final = re.compile(r"^Seat \d+: ")
BURNING: Final = re.compile(r"^Burn \d+ card")
DEALING: Final = re.compile(r"^Deal \d+ card")
INSURING: Final = re.compile(r"^(Insurance|Even money): ")
OFFERING: Final = re.compile(
    r"^[\w ]+ open: seats? (?P<seats>[\d, -]+?)(?: \((?P<placed>\d+) placed\))?\. (?P<beside>.*)"
)
PLAYING: Final = re.compile(
    r"^(?:No natural\. )?Seat (?P<seat>\d+)(?: hand (?P<hand>\d+))? has (?P<count>(?:soft )?\d+)"
    r"(?::| and (?P<draws>hits|doubles|is split))"
)
DRAWING: Final = re.compile(r"^Dealer has (?:soft )?\d+: draw")
PAYING: Final = re.compile(r"^Pay ")
LOADING: Final = re.compile(r"^Load the shoe(?P<then>.*, then press close)?")

SPLIT: Final = "is split"
NOTHING_BESIDE: Final = "Close when done"

OFFERED: Final = re.compile(r"(Insurance|Even money): seats? ([\d, -]+)")
ENDING: Final = re.compile(r"Close|stand|Pay")
"""What is pressed where only the end of the round is wanted, and no card is due."""
CARD_DUE: Final = "draw"
SEAT: Final = re.compile(r"Seat (\d+)")


def seats(text: str) -> Sequence[int]:
    """Those of a list as prompts have it: "1-3, 5" is short for 1, 2, 3 and 5."""
    ends = (run.split("-") for run in text.split(", "))
    return [seat for first, *last in ends for seat in range(int(first), int(last[0] if last else first) + 1)]
