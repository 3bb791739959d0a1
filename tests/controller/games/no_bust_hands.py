"""Hands of players and dealers for the tests of the two No Bust games."""

import pytest

from controller.cards import Card
from controller.games.layout import Hand, Layout, Seat

NO_BUST = "no-bust-21st-century"
PURE = "pure-21-5"
BOTH = pytest.mark.parametrize("name", [NO_BUST, PURE])

SPLIT = Hand((Card("Th"), Card("9h")), "stand", bet=1000, split=1)
"""A hand beside others."""

DEALER = {22: "6s Tc 6d", 23: "6s Tc 7d", 24: "6s Tc 8d", 25: "6s Tc 9d", 26: "6s Tc Td"}
HELD = {22: "Ts 4d 8h", 23: "Ts 5d 8h", 24: "Ts 6d 8h", 25: "Ts 6d 9h", 26: "Ts 6d Th", 29: "Ts 9d Th"}
MANY = ("Ts 2d 3h 9s", "2s 3d 4h 5d 9s", "As 2d Kh Qd Td")
"""More than three cards, of 24, 23 and 33."""


def cards(text: str) -> tuple[Card, ...]:
    return tuple(map(Card, text.split()))


def laid(
    held: str,
    dealer: str = "6s Tc",
    *,
    choice: str = "",
    split: int = 0,
    bet: int = 1000,
    beside: tuple[Hand, ...] = (),
    spots: tuple[str, ...] = ("main",),
) -> Layout:
    """One seat with this first hand and others beside it; the dealer's up-card, hole card and draws."""
    hands = (Hand(cards(held), choice, bet=bet, split=split), *beside)
    up, hole, *drawn = cards(dealer)
    return Layout({1: Seat(dict.fromkeys(spots, 1000), hands)}, up, hole, tuple(drawn))
