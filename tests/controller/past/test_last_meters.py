"""The jackpot amounts that can still be read, whatever happened to the files."""

import json
import sqlite3
from pathlib import Path

import pytest

from controller.jackpot import UNITS
from controller.journal.chain import RowContent
from controller.journal.journal import Journal
from controller.past.last_meters import LastMeter, last_meters

BOOKS = {"display": 700 * UNITS, "reserve": 30 * UNITS, "paid": 5 * UNITS, "locked": 0, "overflow": 0}


def meter(after: int, spot: str = "blazing-7s", at: float = 100.0) -> RowContent:
    """A movement of a jackpot."""
    body = {"spot": spot, "kind": "contribution", "before": 0, "after": after, "why": "x", "books": BOOKS}
    return RowContent(at, "meter", json.dumps(body))


def snapshot(**cents: int) -> RowContent:
    """The snapshot that a start begins from."""
    meters = {spot: BOOKS | {"display": amount * UNITS + 7} for spot, amount in cents.items()}
    return RowContent(50.0, "snapshot", json.dumps({"number": 3, "meters": meters}))


def other(number: int) -> RowContent:
    return RowContent(60.0, "alert", json.dumps({"text": f"{number} " + "x" * 500}))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A journal with a snapshot, and steps of one of two jackpots after it."""
    path = tmp_path / "table.db"
    with Journal(path) as journal:
        journal.append([meter(100), snapshot(buster=880, blazing=1), *map(other, range(40))])
        journal.append([meter(650), *map(other, range(40)), meter(700, at=200.0)])
    return path


def seen(path: Path, mirror: Path | None = None) -> dict[str, tuple[int, int, bool]]:
    return {last.spot: (last.cents, last.row, last.sound) for last in last_meters(path, mirror)}


def write(path: Path, statement: str, *values: object) -> None:
    """Writes past the guards, as an attacker would."""
    with sqlite3.connect(path) as database:
        database.execute("DROP TRIGGER no_update")
        database.execute(statement, values)
    database.close()


def test_the_last_amount_of_each_meter_is_read(path: Path) -> None:
    assert seen(path) == {"buster": (880, 2, True), "blazing": (1, 2, True), "blazing-7s": (700, 84, True)}
    blazing = next(last for last in last_meters(path) if last.spot == "blazing-7s")
    parts = {"locked": 0, "reserve": 30, "overflow": 0, "paid": 5}
    assert blazing == LastMeter("blazing-7s", 700, parts, 84, 200.0, str(path), sound=True)


def test_a_changed_amount_is_shown_as_doubtful(path: Path) -> None:
    write(path, "UPDATE journal SET body = replace(body, '700', '999') WHERE row = 84")
    assert seen(path)["blazing-7s"][1:] == (84, False)


def test_a_sound_copy_goes_before_a_changed_row(path: Path, tmp_path: Path) -> None:
    mirror = tmp_path / "mirror.db"
    mirror.write_bytes(path.read_bytes())
    write(path, "UPDATE journal SET body = replace(body, '700', '999') WHERE row = 84")
    assert seen(path, mirror)["blazing-7s"] == (700, 84, True)


def test_meters_are_read_around_pages_of_zeros(path: Path) -> None:
    """Newer rows are read from the end, older ones from the beginning."""
    content = bytearray(path.read_bytes())
    for page in range(4, len(content) // 4096 - 2):
        content[page * 4096 : (page + 1) * 4096] = bytes(4096)
    path.write_bytes(content)
    found = seen(path)
    assert found["blazing-7s"][0] in {700, 100}
    assert found["buster"] == (880, 2, True)


@pytest.mark.parametrize("content", [b"", b"\x00" * 5000, b"SQLite format 3\x00" + b"\xff" * 5000])
def test_an_unreadable_journal_has_no_meters(path: Path, content: bytes, tmp_path: Path) -> None:
    mirror = tmp_path / "mirror.db"
    mirror.write_bytes(path.read_bytes())
    path.write_bytes(content)
    assert seen(path) == {}
    assert seen(path, mirror)["blazing-7s"] == (700, 84, True)
    assert seen(tmp_path / "absent.db", mirror)["buster"] == (880, 2, True)


def test_a_closed_file_is_asked_where_the_live_one_is_gone(tmp_path: Path) -> None:
    path = tmp_path / "table.db"
    with Journal(path) as journal:
        journal.append([snapshot(buster=5)])
        journal.append([meter(6, "buster")])
        journal.roll([snapshot(buster=6)])
    path.write_bytes(b"")
    ((spot, (cents, row, sound)),) = seen(path).items()
    assert (spot, cents, row, sound) == ("buster", 6, 2, True)


@pytest.mark.parametrize(
    "body", ["", "[]", "{}", '{"spot": 3}', '{"spot": "x", "after": {}}', '{"meters": 3}']
)
@pytest.mark.parametrize("kind", ["meter", "snapshot"])
def test_rows_with_invalid_bodies_are_passed_over(tmp_path: Path, body: str, kind: str) -> None:
    with Journal(tmp_path / "j") as journal:
        journal.append([meter(8), RowContent(1.0, kind, body)])
    assert seen(tmp_path / "j").get("blazing-7s", (8,))[0] == 8


def test_reading_the_meters_changes_no_file(path: Path) -> None:
    before = {file: file.read_bytes() for file in path.parent.iterdir() if file.is_file()}
    last_meters(path)
    assert {file: file.read_bytes() for file in path.parent.iterdir() if file.is_file()} == before
