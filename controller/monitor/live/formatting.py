"""Cards, claims and times as text for people."""

import re
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
_CARD = r"(?:[2-9TJQKA][shdc]|\?\?)"
_CARDS = re.compile(rf"(?<![\w-]){_CARD}(?: {_CARD})*(?![\w-])")
_WORD_AFTER = re.compile(r" (?!to\b)[a-zß-ÿ]")
"""After "As": it is a word. A correction reads "As to 7s"."""
_COUNT_BEFORE = re.compile(r"\b(?:two|three|suited|Blazing) $", re.IGNORECASE)
"""Before "7s": it means sevens."""


def card_name(card: str) -> str:
    """ "ten of spades" for "Ts"; "face-down card" for a hidden one."""
    if card == HIDDEN:
        return "face-down card"
    return f"{RANKS[card[0]]} of {SUITS[card[1]]}"


def rank_text(card: str) -> str:
    """The rank as it is printed on the card: "10" for a ten."""
    return "10" if card[0] == "T" else card[0]


def card_runs(sentence: str) -> list[str | list[str]]:
    """The sentence in parts: text, and runs of cards: ["seat 1: ", ["7s", "7s"], " = 14"]. A word that looks
    like a card, as in "three suited 7s" or "As the shoe", is text."""
    parts: list[str | list[str]] = []
    end = 0
    for found in _CARDS.finditer(sentence):
        if _is_word(found, sentence):
            continue
        parts += [sentence[end : found.start()], found[0].split()]
        end = found.end()
    return [part for part in (*parts, sentence[end:]) if part]


def _is_word(found: re.Match[str], sentence: str) -> bool:
    if found[0].lower() == "as":
        return bool(_WORD_AFTER.match(sentence, found.end()))
    return found[0] == "7s" and bool(_COUNT_BEFORE.search(sentence[: found.start()]))


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
