"""Random rounds of every game, with a restart: each replays and settles as it did."""

from collections import Counter
from pathlib import Path

import pytest

from controller.games import GAMES
from controller.journal.history import History
from controller.past.replay.account import account_of
from controller.past.replay.rounds import ended_rounds
from tests.fixtures.crewed_table import CrewedTable
from tests.fixtures.device_inputs import Script
from tests.fixtures.loop_table import LoopTable, loop_table
from tests.fixtures.played_journal import PlayedTable, journal
from tests.fixtures.random_crew import Chance

HALF = 9
ENOUGH = 400


class CrewedPlayedTable(PlayedTable, CrewedTable):
    """A crew that plays by chance at a table on a journal."""

    def __init__(self, staged: LoopTable, script: Script, crew: Chance) -> None:
        self.crew, self.out = crew, Counter()
        PlayedTable.__init__(self, staged, script)

    def bet(self) -> None:
        self.crew.round = self.state.round
        self.apply(*map(self.reported, self.crew.wagers()))

    def play_on(self, most: int) -> None:
        """Until the round ends, or after this many steps."""
        number, self.crew.round = self.state.number, self.state.round
        for _ in range(most):
            if self.state.number > number:
                return
            self.apply(self.reported(self.crew.sensible()))


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("seed", range(2))
def test_each_round_replays_and_settles_as_it_did(tmp_path: Path, game: str, seed: int) -> None:
    crew = Chance(game, seed, seats=7)
    script = Script(game, options={"burn_cards": seed, **crew.options})
    with loop_table(journal(tmp_path), script.started()) as staged:
        crowd = CrewedPlayedTable(staged, script, crew)
        crowd.bet()
        crowd.play_on(ENOUGH)
        crowd.bet()
        crowd.play_on(HALF)
    with loop_table(journal(tmp_path), script.started()) as staged:
        crowd.reconnect(staged)
        crowd.play_on(ENOUGH)
        crowd.bet()
        crowd.play_on(ENOUGH)
    accounts = [account_of(kept) for kept in ended_rounds(History(journal(tmp_path)).rows())]
    assert [each.round.number for each in accounts] == [1, 2, 3]
    for each in accounts:
        assert each.verdict.differs == ()
        assert each.unplayed == ""
        assert each.steps[-1].gave[-1] == "the round is over"
