"""A night whose journal is closed into the archive again and again: a start needs the last file alone."""

import shutil
from pathlib import Path

import pytest

from controller.games import GAMES
from controller.journal import names
from controller.journal.closed_files import list_closed_files
from controller.journal.history import History
from controller.journal.journal import Journal
from controller.journal.signing import Signer
from controller.table.record.events import DeviceEvent
from controller.table.record.kinds import SNAPSHOT
from controller.table.recovery import recover
from controller.table.state.table_state import ROUNDS_KEPT
from drivers.messages import Key
from tests.fixtures.crewed_table import InputRecorder
from tests.fixtures.device_inputs import Script
from tests.fixtures.loop_table import loop_table, received
from tests.fixtures.state_table import everything

MOST = 40
ROUNDS = 12


def play(path: Path, rounds: int, most: int, signer: Signer | None = None) -> Script:
    """Plays some rounds of Easy Jack in one process."""
    script = Script()
    with loop_table(path, script.started(), most=most, signer=signer) as table:
        table.apply(*list(script.opening())[1:])
        for seed in range(rounds):
            if seed % 3 == 0:
                table.apply(script.loaded())
            for event in script.play(table.table.state, seed):
                table.apply(event)
    return script


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """The same night in one file, and its final state."""
    path = tmp_path_factory.mktemp("whole") / "table.db"
    script = play(path, ROUNDS, 10_000)
    with Journal(path) as journal:
        return path, everything(recover(journal, script.started()))


@pytest.mark.parametrize("archive", [True, False])
def test_a_start_needs_the_last_file_alone(tmp_path: Path, whole: tuple[Path, str], *, archive: bool) -> None:
    path = tmp_path / "table.db"
    script = play(path, ROUNDS, MOST)
    assert len(list_closed_files(path)) > 3
    if not archive:
        shutil.rmtree(names.archive(path))
    with Journal(path) as journal:
        state = recover(journal, script.started())
        assert everything(state) == whole[1]
        assert [ended.number for ended in state.ended_views] == list(range(ROUNDS, 0, -1))


def test_every_row_is_in_one_of_the_files(tmp_path: Path, whole: tuple[Path, str]) -> None:
    path = tmp_path / "table.db"
    play(path, ROUNDS, MOST)
    kept = [entry.content for entry in History(path).rows()]
    happened = [row for row in kept if row.kind not in {"continued", SNAPSHOT}]
    assert happened == [entry.content for entry in History(whole[0]).rows() if entry.content.kind != SNAPSHOT]


def test_no_more_rounds_are_carried_than_are_shown(tmp_path: Path) -> None:
    path = tmp_path / "table.db"
    script = play(path, ROUNDS_KEPT + 5, MOST)
    with Journal(path) as journal:
        state = recover(journal, script.started())
    assert [ended.number for ended in state.ended_views] == list(range(ROUNDS_KEPT + 5, 5, -1))


@pytest.mark.parametrize("game", sorted(GAMES))
def test_any_game_goes_on_in_the_next_file(game: str, tmp_path: Path) -> None:
    crew, path = InputRecorder(game, seed=11), tmp_path / "table.db"
    for _ in range(3):
        crew.play_by_chance()
    with loop_table(path, crew.script.started(), most=20) as table:
        for event in crew.inputs[1:]:
            table.apply(event)
        state = everything(table.table.state)
        assert len(list_closed_files(path)) >= 2
    with Journal(path) as journal:
        assert everything(recover(journal, crew.script.started())) == state


def test_a_batch_that_goes_on_after_the_round_closes_no_file(tmp_path: Path) -> None:
    """No snapshot has what already belongs to the next round; the round after that closes the file."""
    path, script = tmp_path / "table.db", Script()
    with loop_table(path, script.started(), most=10) as table:
        table.apply(*list(script.opening())[1:])
        table.apply(script.loaded())
        for event in script.play(table.table.state, 1):
            assert isinstance(event, DeviceEvent)
            after = [script.bet(5)] if event.body == Key("pay", 0, 0) else []
            table.table.process([received(each) for each in (event, *after)])
        assert table.table.state.number == 2
        assert table.journal.full
        assert not list_closed_files(path)
        for event in script.play(table.table.state, 2):
            table.apply(event)
        assert len(list_closed_files(path)) == 1
        state = everything(table.table.state)
    with Journal(path) as journal:
        assert everything(recover(journal, script.started())) == state
