"""Replaying a journal rebuilds the table wherever the journal ends."""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from controller.games import GAMES
from controller.journal.chain import RowContent
from controller.journal.journal import Journal
from controller.table.record.codec import read_input, to_row
from controller.table.record.events import DeviceEvent, DeviceRunning, Input
from controller.table.record.kinds import INPUTS
from controller.table.recovery import recover
from controller.table.state.table_state import TableState
from tests.fixtures.crewed_table import InputRecorder
from tests.fixtures.device_inputs import Script
from tests.fixtures.loop_table import LoopTable, loop_table, received
from tests.fixtures.state_table import everything

ROUNDS = 5
EVERY = 17
"""Events between two of the many moments at which a longer night is cut."""


class PlayedNight:
    """Some undisturbed rounds: all inputs, and all rows that were written."""

    def __init__(self, path: Path) -> None:
        self.script = Script()
        self.inputs: list[DeviceEvent] = []
        self.states: dict[int, str] = {}
        """The whole state by the number of rows written by then."""
        with loop_table(path, self.script.started()) as table:
            table.apply(*list(self.script.opening())[1:])
            self._apply(table, self.script.loaded())
            for seed in range(ROUNDS):
                for event in self.script.play(table.table.state, seed):
                    self._apply(table, event)
            self.rounds = tuple(table.table.state.ended_views)
            self.ledger = table.table.state.ledger
            self.rows = [entry.content for entry in table.journal.since(0)]

    def _apply(self, table: LoopTable, event: Input) -> None:
        assert isinstance(event, DeviceEvent)
        self.inputs.append(event)
        table.apply(event)
        assert table.journal.head is not None
        self.states[table.journal.head.row] = everything(table.table.state)


@pytest.fixture(scope="module")
def night(tmp_path_factory: pytest.TempPathFactory) -> PlayedNight:
    return PlayedNight(tmp_path_factory.mktemp("night") / "journal")


def up_again(state: TableState) -> Iterator[Input]:
    """All devices come back; those that the journal never met had nothing to report yet."""
    script = Script()
    for device, known in state.devices.items():
        yield script.up(device, "known" if known.log else "new log")
        yield DeviceRunning(device)


def write(path: Path, rows: list[RowContent]) -> None:
    with Journal(path) as journal:
        if rows:
            journal.append(rows)


def test_any_prefix_goes_on_to_the_same_settlements(night: PlayedNight, tmp_path: Path) -> None:
    """Killed after any row and restarted with every event repeated: no card is lost or doubled."""
    assert len(night.rounds) == ROUNDS
    for length in range(len(night.rows) + 1):
        path = tmp_path / str(length)
        write(path, night.rows[:length])
        with loop_table(path, night.script.started()) as table:
            table.table.process([received(event) for event in up_again(table.table.state)])
            table.table.process([received(event) for event in night.inputs])
            assert tuple(table.table.state.ended_views) == night.rounds, length
            assert table.table.state.ledger == night.ledger, length


def test_a_replay_rebuilds_the_very_state(night: PlayedNight, tmp_path: Path) -> None:
    for length, state in night.states.items():
        path = tmp_path / str(length)
        write(path, night.rows[:length])
        with Journal(path) as journal:
            assert everything(recover(journal, night.script.started())) == state, length


def test_a_start_begins_from_the_last_snapshot(night: PlayedNight, tmp_path: Path) -> None:
    """Rows before the snapshot are checked, and not replayed."""
    snapshots = [number for number, content in enumerate(night.rows) if content.kind == "snapshot"]
    assert len(snapshots) == ROUNDS
    path = tmp_path / "journal"
    write(path, night.rows[: snapshots[-1] + 1])
    with Journal(path) as journal:
        state = recover(journal, night.script.started())
    assert tuple(state.ended_views) == night.rounds
    assert state.number == ROUNDS + 1


def test_all_inputs_come_back_from_their_rows(night: PlayedNight) -> None:
    inputs = [content for content in night.rows if content.kind in INPUTS]
    assert len(inputs) > 50
    for content in inputs:
        assert to_row(content.at, read_input(content)) == content


@pytest.mark.parametrize("game", sorted(GAMES))
def test_a_replay_of_any_game_rebuilds_the_very_state(game: str, tmp_path: Path) -> None:
    crew = InputRecorder(game, seed=11)
    for _ in range(2):
        crew.play_by_chance()
    states: dict[int, str] = {}
    with loop_table(tmp_path / "whole", crew.script.started()) as table:
        for event in crew.inputs[1:]:
            table.apply(event)
            assert table.journal.head is not None
            states[table.journal.head.row] = everything(table.table.state)
        assert tuple(table.table.state.ended_views) == tuple(crew.state.ended_views)
        rows = [entry.content for entry in table.journal.since(0)]
    for length, state in list(states.items())[::EVERY]:
        write(tmp_path / str(length), rows[:length])
        with Journal(tmp_path / str(length)) as journal:
            assert everything(recover(journal, crew.script.started())) == state, length


def test_a_start_of_an_older_version_is_read() -> None:
    """It knew neither bank nor jackpot."""
    started = Script().started()
    written = to_row(0.0, started)
    body = json.loads(written.body)
    del body["bank"], body["jackpots"]
    assert read_input(replace(written, body=json.dumps(body))) == started


def test_several_kills_in_a_row_lose_nothing(night: PlayedNight, tmp_path: Path) -> None:
    """A daemon that is killed after every single event ends like one that never was."""
    path = tmp_path / "journal"
    with loop_table(path, night.script.started()) as table:
        table.apply(*list(Script().opening())[1:])
    for event in night.inputs:
        with loop_table(path, night.script.started()) as table:
            table.table.process([received(event) for event in up_again(table.table.state)])
            table.apply(event)
            rounds = tuple(table.table.state.ended_views)
    assert rounds == night.rounds
