"""Which hands of the dealer were completed, with their final totals.

Hands count if the dealer had to complete them and they were not naturals. Whether a hand is completed depends
on what the players hold; a natural ends the round in any case, so there would be too many.
"""

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from controller.cards import Card
from controller.games.game import LABELS, Game
from controller.games.layout import Hand, Layout, Seat
from controller.past.reports.trials import dealer, up_card
from controller.table.record.views import HIDDEN, RoundView, SeatView

BUST = "bust"


class CompletedHand(NamedTuple):
    """`up_card`: its rank, empty if none was dealt; `end`: BUST, or the final total."""

    up_card: str
    end: str


_completed_hand = lru_cache(maxsize=1_000)(CompletedHand)
"""Rounds share them."""


def completed_hand(game: Game, seen: RoundView) -> CompletedHand | None:
    """The dealer's hand, if it counts."""
    if not seen.dealer.cards or HIDDEN in seen.dealer.cards:
        return None
    cards = dealer(seen)
    if game.natural(cards) or not _completed(game, seen):
        return None
    up = up_card(seen) if game.deal.count("dealer up") else ""
    return _completed_hand(up, BUST if game.bust(cards) else str(game.total(cards)))


def _completed(game: Game, seen: RoundView) -> bool:
    layout = _layout(seen)
    return game.hands_left(layout) or any(bet.draws_out(layout) for bet in game.side_bets)


def _layout(seen: RoundView) -> Layout:
    """The round as the rules need it: hands with their last keys, and wagers."""
    seats = {seat.seat: Seat(_wagers(seen, seat), tuple(_hands(seat))) for seat in seen.seats if seat.hands}
    return Layout(seats)


def _wagers(seen: RoundView, seat: SeatView) -> dict[str, int | None]:
    return {line.wager: line.amount for line in seen.lines if line.seat == seat.seat}


def _hands(seat: SeatView) -> Iterator[Hand]:
    """The record shows that hands were split, but not from which hand."""
    for hand in seat.hands:
        cards = tuple(map(Card, hand.cards))
        yield Hand(cards, CHOICES.get(hand.label, ""), split=int(len(seat.hands) > 1))


CHOICES = {label: choice for choice, label in LABELS.items()}
"""The last key of a hand by its label. Other labels describe its cards."""
