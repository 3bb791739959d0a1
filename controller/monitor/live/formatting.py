"""Cards, claims and times as text for people."""

from collections.abc import Mapping
from datetime import UTC, datetime

from controller.currency.formatting import amount_text
from controller.process.time_zone import time_zone_in_use
from controller.table.apply.claims import PENDING
from controller.table.record.views import HIDDEN, ClaimView

RANKS: Mapping[str, str] = {
    "A": "ace",
    "2": "two",
    "3": "three",
    "4": "four",
    "5": "five",
    "6": "six",
    "7": "seven",
    "8": "eight",
    "9": "nine",
    "T": "ten",
    "J": "jack",
    "Q": "queen",
    "K": "king",
}
SUITS: Mapping[str, str] = {"s": "spades", "h": "hearts", "d": "diamonds", "c": "clubs"}
RED = frozenset("hd")


def card_name(card: str) -> str:
    """ "ten of spades" for "Ts"; "face-down card" for a hidden one."""
    if card == HIDDEN:
        return "face-down card"
    return f"{RANKS[card[0]]} of {SUITS[card[1]]}"


def rank_text(card: str) -> str:
    """The rank as it is printed on the card: "10" for a ten."""
    return "10" if card[0] == "T" else card[0]


def claim_text(claim: ClaimView) -> str:
    """The amount of a claim; PENDING until a linked progressive has decided it."""
    return PENDING if claim.amount is None else amount_text(claim.amount)


def clock_text(at: float) -> str:
    """A time of day in the time zone in use: "19:04". `at`: Unix time."""
    return datetime.fromtimestamp(at, UTC).astimezone(time_zone_in_use()).strftime("%H:%M")


def clock_seconds(at: float) -> str:
    """A time of day in the time zone in use, to the second: "19:04:59"."""
    return datetime.fromtimestamp(at, UTC).astimezone(time_zone_in_use()).strftime("%H:%M:%S")


def duration_text(seconds: float) -> str:
    """A duration in words: "40 s", "26 min", "3 h 5 min", "2 d 4 h"."""
    whole = max(round(seconds), 0)
    if whole < 60:
        return f"{whole} s"
    minutes, hours, days = whole // 60, whole // 3600, whole // 86_400
    if not hours:
        return f"{minutes} min"
    return f"{days} d {hours % 24} h" if days else f"{hours} h {minutes % 60} min"


def date_time_text(at: float) -> str:
    """A date and time in the time zone in use: "2026-11-22 19:04"."""
    return datetime.fromtimestamp(at, UTC).astimezone(time_zone_in_use()).strftime("%Y-%m-%d %H:%M")


def iso_text(at: float) -> str:
    """A date and time in ISO 8601, in UTC, to the second."""
    return datetime.fromtimestamp(at, UTC).isoformat(timespec="seconds")
