"""Keys in random rounds of every game are taken back: each round is as if the key had never been pressed."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.games import GAMES
from controller.round import Key
from controller.table.apply import jackpots
from controller.table.errors import NotAllowed
from controller.table.people.consequences import consequences
from controller.table.record.events import ConsoleKey, Supervisor
from controller.table.record.notes import RoundEnded
from tests.controller.table.correcting.misread import essence
from tests.fixtures.crewed_table import ENOUGH, CrewedTable
from tests.fixtures.state_table import of_kind

UNDO = Supervisor("undo", "Ann", "mistaken", None)


class UndoingTable(CrewedTable):
    """A table at which every key is pressed, taken back where that is possible, and pressed again."""

    def __init__(self, game: str, seed: int) -> None:
        super().__init__(game, seed)
        self.crew.round = self.state.round
        spots = self.state.game.spots
        wagers = sorted(self.crew.wagers(), key=lambda wager: (wager.seat, spots.index(wager.spot)))
        self.apply(*map(self.reported, wagers))

    def to_the_end(self) -> None:
        for _ in range(ENOUGH):
            event = self.crew.sensible()
            if not isinstance(event, Key):
                self.apply(self.reported(event))
            elif self.press(event):
                return
        raise AssertionError(self.prompt)

    def press(self, key: Key) -> bool:
        """Whether the round ended with it."""
        pressed, before = ConsoleKey(key.action, key.seat, key.cents or 0, "Dee"), essence(self.state)
        closes = not self.state.underway
        if of_kind(RoundEnded, self.apply(pressed)):
            return True
        if closes and jackpots.moved_spots(self.state):
            with pytest.raises(NotAllowed, match="was fed when betting closed"):
                consequences(self.state, UNDO)
        else:
            self.apply(replace(UNDO, token=consequences(self.state, UNDO).token))
            assert essence(self.state) == before, key
            self.apply(pressed)
        self.crew.round = self.state.round
        return False


@pytest.mark.parametrize("game", sorted(GAMES))
@settings(max_examples=30)
@given(st.integers(0, 2**32 - 1))
def test_a_key_taken_back_is_as_if_it_had_never_been_pressed(game: str, seed: int) -> None:
    table = UndoingTable(game, seed)
    table.to_the_end()
