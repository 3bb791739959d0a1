"""The page and the hardware console agree in every step of a round of every game."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.games import GAMES
from controller.table.record.events import DeviceLost, Input
from controller.table.record.notes import Note
from controller.table.view.build import build_view
from controller.table.view.console import key_lamps, presses, prompt
from drivers.protocol.codes import KEYS
from tests.controller.monitor.console.reading import Shown, shown, without_keys
from tests.fixtures.crewed_table import CrewedTable
from tests.fixtures.state_table import StateTable
from tests.fixtures.table_views import DEVICES


class ComparedTable(CrewedTable):
    """A crew's table; after each step the page is compared with what the console receives."""

    def apply(self, *events: Input) -> list[Note]:
        notes = super().apply(*events)
        compare(self)
        return notes


def compare(table: StateTable) -> Shown:
    page = shown(build_view("Table 7", table.state, DEVICES))
    lit = {key for place, key in enumerate(KEYS) if key_lamps(table.state) & 1 << place}
    text, seat = prompt(table.state)
    assert page.due == (without_keys(text), seat)
    assert {action for action, _ in page.presses} == lit
    legal = [(press.action, seat) for press in presses(table.state) for seat in press.seats]
    assert sorted(page.presses) == sorted(legal)
    return page


@pytest.mark.parametrize("game", sorted(GAMES))
@settings(max_examples=6)
@given(st.integers(0, 2**32 - 1))
def test_page_and_hardware_agree_in_every_step_of_a_round(game: str, seed: int) -> None:
    ComparedTable(game, seed).play_by_chance()


def test_page_and_hardware_agree_while_play_is_suspended() -> None:
    table = StateTable()
    table.deal()
    table.apply(DeviceLost("shoe", "unplugged"))
    page = compare(table)
    assert (page.due, page.presses) == (("Suspended: Missing: the shoe", 0), [])


def test_page_and_hardware_agree_before_a_shoe_is_loaded() -> None:
    table = StateTable()
    table.state.end_shoe()
    page = compare(table)
    assert (page.due, page.presses) == (("Load the shoe", 0), [])
