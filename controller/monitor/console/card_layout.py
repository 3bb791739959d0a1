"""How the cards of all seats lie beside and below each other, so that they are as large as the row of seats
allows.

The style sheet computes the size of the cards from the room that there is. Here it is decided, for a low and
for a high screen, how many cards lie in a row, how many hands of a seat side by side, and how much of a
covered card is seen.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import ceil
from typing import Final

from controller.table.record.views import SeatView


@dataclass(frozen=True, slots=True)
class Screen:
    """Pixels: `width` of the row of seats; `height` for the cards of a seat, `paying`: while the panel of the
    seat that is paid stands above. `most`: cards that are wider are not better."""

    width: int
    height: int
    paying: int
    most: int


LOW: Final = Screen(996, 200, 135, 132)
"""1024 x 600 pixels."""
HIGH: Final = Screen(1250, 330, 240, 180)
"""1280 x 800 pixels; 1920 x 1080 has the same proportions."""
GAP: Final = 5
FRAME: Final = 14
"""Pixels of a seat beside its cards."""
EMPTY: Final = 44
"""Pixels of an empty seat."""
LEAST: Final = 66
"""A card that is as wide is large enough."""
RATIO: Final = 1.41
"""Height of a card by its width."""
STRIPS: Final = (0.44, 0.36, 0.28)
"""The part of a covered card that is seen, by its width."""
NARROWEST: Final = 1.2
"""The least width of a seat in cards: amounts need it."""
MOST_IN_ROW: Final = 6


@dataclass(frozen=True, slots=True)
class Block:
    """The cards of a seat: `across` hands side by side in each of `deep` lines; a hand has up to `rows` rows
    of up to `columns` cards."""

    across: int = 1
    deep: int = 1
    rows: int = 1
    columns: int = 2

    def width(self, strip: float) -> float:
        """In widths of a card."""
        return max(self.across * (1 + (self.columns - 1) * strip), NARROWEST)

    def height(self, *, paying: bool) -> float:
        """In heights of a card. While seats are paid, a hand may cover the lower half of the one above it."""
        hand = 1 + (self.rows - 1) * (0.5 if self.rows < 3 else 0.32)
        return hand * (1 + (self.deep - 1) * (0.55 if paying else 1))


@dataclass(frozen=True, slots=True)
class CardLayout:
    """`strip`: place in STRIPS; `per_row`: the most cards in a row; `blocks`: one for each seat."""

    strip: int
    per_row: int
    blocks: tuple[Block, ...]


def card_layout(seats: Sequence[SeatView], screen: Screen, *, paying: bool) -> CardLayout:
    """The layout with the largest cards; among those that are large enough, the one that shows most of a
    covered card."""
    found = [
        (CardLayout(strip, *each), min(_card(each[1], seats, screen, part, paying=paying), screen.most))
        for strip, part in enumerate(STRIPS)
        for each in _layouts(seats)
    ]
    enough = min(LEAST, max(card for _, card in found))
    fitting = [(layout, card) for layout, card in found if card >= enough]
    return max(fitting, key=lambda each: (-each[0].strip, each[1], each[0].per_row))[0]


def _layouts(seats: Sequence[SeatView]) -> Iterator[tuple[int, tuple[Block, ...]]]:
    for per_row in range(1, MOST_IN_ROW + 1):
        for deep in (1, 2):
            yield per_row, _blocks(seats, per_row, deep)


def _blocks(seats: Sequence[SeatView], per_row: int, deep: int) -> tuple[Block, ...]:
    """Cards of seats with one hand have the same size. Two cards will come to each."""
    alone = [len(seat.hands[0].cards) for seat in seats if len(seat.hands) == 1]
    rows = ceil(max([2, *alone]) / per_row)
    return tuple(_block(seat, per_row, deep, rows) for seat in seats)


def _block(seat: SeatView, per_row: int, deep: int, rows: int) -> Block:
    most = max([2, *(len(hand.cards) for hand in seat.hands)])
    columns = min(most, per_row)
    if len(seat.hands) < 2:
        return Block(rows=rows, columns=columns)
    lines = min(deep, len(seat.hands))
    return Block(ceil(len(seat.hands) / lines), lines, ceil(most / per_row), columns)


def _card(
    blocks: Sequence[Block], seats: Sequence[SeatView], screen: Screen, strip: float, *, paying: bool
) -> float:
    """Pixels of the width of a card."""
    played = [block for block, seat in zip(blocks, seats, strict=True) if seat.hands]
    empty = len(blocks) - len(played)
    frames = GAP * (len(blocks) - 1) + EMPTY * empty + FRAME * len(played)
    wide = sum(block.width(strip) for block in played) or 1.0
    high = max((block.height(paying=paying) for block in played), default=1.0)
    height = screen.paying if paying else screen.height
    return min((screen.width - frames) / wide, height / RATIO / high)
