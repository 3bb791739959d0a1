"""Keys on a screen: each press is taken once, whatever restarts, and never in another round."""

from pathlib import Path

import pytest

from controller.table.errors import NotAllowed
from controller.table.record.events import ConsoleKey
from controller.table.record.notes import RoundEnded
from controller.table.state.snapshot import restore_snapshot, take_snapshot
from tests.fixtures.device_inputs import Script
from tests.fixtures.loop_table import LoopTable, loop_table
from tests.fixtures.state_table import StateTable, of_kind

HIT = ConsoleKey("hit", 1, 0, "Dee", 1, "a-1")


def opened(at: LoopTable, script: Script) -> None:
    at.apply(*script.opening(), script.loaded(), script.bet(1), script.key("close"))
    at.apply(*script.cards_out("5h 7d"))


def kept(at: LoopTable) -> int:
    return at.kinds().count("console key")


def test_a_press_that_is_told_again_after_a_restart_is_taken_once(tmp_path: Path) -> None:
    script = Script(devices={name: f"{name}-1" for name in ("shoe", "sensors", "console")})
    with loop_table(tmp_path / "journal", script.started()) as at:
        opened(at, script)
        at.apply(HIT, HIT)
        assert kept(at) == 1
    with loop_table(tmp_path / "journal", script.started()) as at:
        at.apply(HIT)
        assert kept(at) == 1
        assert "refusal" not in at.kinds()


def test_presses_of_two_persons_are_two(tmp_path: Path) -> None:
    script = Script(devices={name: f"{name}-1" for name in ("shoe", "sensors", "console")})
    with loop_table(tmp_path / "journal", script.started()) as at:
        opened(at, script)
        at.apply(HIT, ConsoleKey("hit", 1, 0, "Don", 1, "a-1"))
        assert (kept(at), at.kinds().count("refusal")) == (1, 1)


def test_the_last_presses_come_back_with_a_snapshot() -> None:
    table = StateTable()
    table.play("1:main=500")
    table.apply(ConsoleKey("close", 0, 0, "Dee", 1, "a-1"))
    assert [*restore_snapshot(take_snapshot(table.state)).shift.presses] == ["dee a-1"]


def test_a_key_of_a_round_that_has_ended_is_refused() -> None:
    table = StateTable("ez-bust")
    assert of_kind(RoundEnded, table.play("1:main=500 close 8h 9c 9d Kc 1:stand pay"))
    with pytest.raises(NotAllowed, match="round 1 has ended: hit was pressed too late"):
        table.apply(HIT)


def test_a_key_of_a_round_that_there_never_was_is_refused() -> None:
    with pytest.raises(NotAllowed, match="round 9 is not in play: hit was pressed too late"):
        StateTable().apply(ConsoleKey("hit", 1, 0, "Dee", 9))
