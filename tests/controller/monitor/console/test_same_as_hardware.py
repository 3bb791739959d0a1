"""The page and the hardware console say the same in every step of a round of every game."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.games import GAMES
from controller.table.record.events import DeviceLost, Input
from controller.table.record.notes import Note
from controller.table.view.build import view
from controller.table.view.console import key_lamps, presses, prompt
from drivers.protocol.codes import KEYS
from tests.controller.monitor.console.reading import Shown, shown
from tests.controller.table.test_round_scripts import Crewed
from tests.fixtures.state_table import Told
from tests.fixtures.table_views import DEVICES


class Both(Crewed):
    """A crew's table; after each step the page is compared with what the console's wires carry."""

    def tell(self, *events: Input) -> list[Note]:
        notes = super().tell(*events)
        compare(self)
        return notes


def compare(told: Told) -> Shown:
    page = shown(view("Table 7", told.state, DEVICES))
    lit = {key for place, key in enumerate(KEYS) if key_lamps(told.state) & 1 << place}
    assert page.due == prompt(told.state)
    assert {action for action, _ in page.presses} == lit
    legal = [(press.action, seat) for press in presses(told.state) for seat in press.seats]
    assert sorted(page.presses) == sorted(legal)
    return page


@pytest.mark.parametrize("game", sorted(GAMES))
@settings(max_examples=6)
@given(st.integers(0, 2**32 - 1))
def test_in_every_step_of_a_round(game: str, seed: int) -> None:
    Both(game, seed).round_by_chance()


def test_while_play_is_suspended() -> None:
    told = Told()
    told.deal()
    told.tell(DeviceLost("shoe", "unplugged"))
    page = compare(told)
    assert (page.due, page.presses) == (("Suspended: Missing: the shoe", 0), [])


def test_before_a_shoe_is_loaded() -> None:
    told = Told()
    told.state.end_shoe()
    page = compare(told)
    assert (page.due, page.presses) == (("Load the shoe", 0), [])
