"""The journal of a linked progressive, beside the rounds that the floor stores."""

import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from typer.testing import CliRunner

from controller.commands.app import app
from controller.floor.day_file import JournalName
from controller.floor.derived.records import DerivedRecords, PlayedRound, StoredRound
from controller.floor.progressive.entry_journal import ENTRY
from controller.floor.verify.progressive_log import check_progressive
from controller.jackpot.linked.entries import LogEntry, Won
from controller.journal.chain import RowContent
from tests.controller.jackpot.linked.desk import LEVEL, claim, opened
from tests.fixtures.journal_files import build
from tests.fixtures.reconciled_floor import CALENDAR, ReconciledFloor
from tests.fixtures.stored_floor import StoredFloor


@pytest.fixture
def log() -> list[LogEntry]:
    """A level with a won share in round 1 of a table, and one in round 2."""
    desk = opened()
    desk.say(claim((1, 10), number=1))
    desk.say(claim((2, 10), number=2))
    return list(desk.log)


def written(path: Path, log: Sequence[LogEntry]) -> Path:
    build(path, [[RowContent(one.at, ENTRY, one.payload.decode(), number=one.n) for one in log]])
    return path


def won(log: Sequence[LogEntry]) -> list[Won]:
    return [outcome for entry in log for outcome in entry.out if isinstance(outcome, Won)]


def stored(folder: Path, name: JournalName, rounds: dict[int, str]) -> StoredFloor:
    """A store with these rounds, by number with their outcomes."""
    made = StoredFloor(folder)
    records = DerivedRecords(
        rounds=[
            StoredRound(n, n, n, float(n), "", "g", PlayedRound(outcome, "1", 0, 0, 0, "", ""))
            for n, outcome in rounds.items()
        ]
    )
    with made.store.newest.transaction():
        made.store.newest.derived.write(name.key, records, lambda _journal, _number: None)
    made.close()
    return made


def found(floor: StoredFloor, path: Path, levels: tuple[str, ...] = (LEVEL,)) -> list[str]:
    return [one.text for one in check_progressive(floor.store, path, levels, CALENDAR)]


def test_a_whole_log_whose_rounds_were_played_has_no_finding(tmp_path: Path, log: list[LogEntry]) -> None:
    first = won(log)[0]
    floor = stored(tmp_path / "stores", JournalName(first.table, first.epoch), {1: "settled", 2: "settled"})
    assert found(floor, written(tmp_path / "log.journal", log)) == []


def test_rounds_whose_rows_have_not_arrived_are_no_finding(tmp_path: Path, log: list[LogEntry]) -> None:
    first = won(log)[0]
    floor = stored(tmp_path / "stores", JournalName(first.table, first.epoch), {1: "settled"})
    assert found(floor, written(tmp_path / "log.journal", log)) == []


@pytest.mark.parametrize(
    ("rounds", "why"),
    [
        ({1: "settled", 2: "void"}, "the round was void"),
        ({1: "settled", 3: "settled"}, "the floor has later rounds of the table, and not this one"),
    ],
)
def test_a_won_share_of_a_round_that_cannot_be_is_found(
    tmp_path: Path, log: list[LogEntry], rounds: dict[int, str], why: str
) -> None:
    first = won(log)[0]
    floor = stored(tmp_path / "stores", JournalName(first.table, first.epoch), rounds)
    (text,) = found(floor, written(tmp_path / "log.journal", log))
    assert why in text
    assert won(log)[1].claim in text


def test_a_missing_entry_is_found(tmp_path: Path, log: list[LogEntry]) -> None:
    floor = StoredFloor(tmp_path / "stores")
    floor.close()
    del log[-2]
    (text,) = found(floor, written(tmp_path / "log.journal", log))
    assert "comes after" in text


def test_the_log_of_another_level_is_found(tmp_path: Path, log: list[LogEntry]) -> None:
    floor = StoredFloor(tmp_path / "stores")
    floor.close()
    (text,) = found(floor, written(tmp_path / "log.journal", log), ("other",))
    assert "entry 1 is not the first one of a level; allowed: other" in text


def test_a_journal_of_something_else_is_found(tmp_path: Path) -> None:
    floor = StoredFloor(tmp_path / "stores")
    floor.close()
    path = tmp_path / "log.journal"
    build(path, [[RowContent(1.0, "something", "{}")]])
    (text,) = found(floor, path)
    assert "it has no entry of a linked progressive" in text


def test_wagers_that_are_not_those_of_the_rows_are_found(tmp_path: Path) -> None:
    here = ReconciledFloor.opened(tmp_path / "stores")
    here.play("1:main=500 1:blazing-7s=100 close 9h 9d 9s 9c 9h 1:stand pay 1:main= 1:blazing-7s=")
    here.read_meter()
    here.store()
    path = tmp_path / "log.journal"
    assert found(here.floor, written(path, here.desk.log)) == []
    here.read_meter(rounds=2, wagers=3, wagered=300)
    path.unlink()
    (text,) = found(here.floor, written(path, here.desk.log))
    assert "rows have 1 wagers of 1.00, the progressive sevens has 3 of 3.00" in text
    here.close()


def test_the_command_checks_the_journal_of_a_linked_progressive(tmp_path: Path, log: list[LogEntry]) -> None:
    StoredFloor(tmp_path / "stores").close()
    config = tmp_path / "floor.toml"
    config.write_text(f'property = "house"\nservers = ["nats://127.0.0.1:4222"]\nlevels = ["{LEVEL}"]\n')
    path = written(tmp_path / "log.journal", log)
    words = ["floor", "verify", "--progressive", str(path), "--config", str(config), "--json"]
    done = CliRunner().invoke(app, words)
    assert done.exit_code == 0, done.output
    assert json.loads(done.output)["findings"] == []
    path.unlink()
    written(path, log[1:])
    done = CliRunner().invoke(app, words)
    assert done.exit_code == 1
    assert [one["about"] for one in json.loads(done.output)["findings"]] == ["progressive"]
