"""How cards lie on the dealer's page, without a browser."""

import pytest

from controller.monitor.console.card_layout import HIGH, LOW, Block, CardLayout, Screen, card_layout
from controller.table.record.views import PlayedHandView, SeatView

SCREENS = pytest.mark.parametrize("screen", [LOW, HIGH])


def seat(number: int, *hands: int) -> SeatView:
    """A seat with hands of so many cards."""
    played = tuple(PlayedHandView(("8s",) * cards, 8 * cards, "") for cards in hands)
    return SeatView(number, active=False, spots=(), hands=played, net=None)


def row(*hands: tuple[int, ...], screen: Screen = LOW, paying: bool = False) -> CardLayout:
    """The layout of seats with these hands."""
    seats = [seat(number, *cards) for number, cards in enumerate(hands, 1)]
    return card_layout(seats, screen, paying=paying)


@SCREENS
def test_few_cards_lie_in_one_row_and_show_most_of_each_other(screen: Screen) -> None:
    found = row((2,), (), (), (2,), (), (), (), screen=screen)
    assert found.strip == 0
    assert found.blocks[0] == Block(1, 1, 1, 2)


def test_cards_of_nine_seats_lie_below_each_other() -> None:
    assert row(*[(2,)] * 9).per_row == 1


@SCREENS
def test_hands_of_the_same_seat_have_a_place_each(screen: Screen) -> None:
    for paying in (False, True):
        block = row((3, 2, 4, 2), (2,), (2,), screen=screen, paying=paying).blocks[0]
        assert block.across * block.deep >= 4
        assert block.rows * block.columns >= 4


@SCREENS
def test_a_second_card_does_not_change_the_layout(screen: Screen) -> None:
    assert row((1,), (1,), (0,), screen=screen) == row((2,), (2,), (2,), screen=screen)


def test_an_empty_row_has_a_layout() -> None:
    assert len(row(*[()] * 7).blocks) == 7
