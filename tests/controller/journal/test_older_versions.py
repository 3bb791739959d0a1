"""Journals of older versions open, are migrated, and give the table as it was."""

import shutil
import sqlite3
from dataclasses import dataclass
from pathlib import Path

import pytest

from controller.journal.errors import JournalError
from controller.journal.journal import Journal
from controller.journal.schema import SCHEMA
from controller.table.record.codec import read_input
from controller.table.record.events import Started
from controller.table.recovery import recover
from controller.table.state.table_state import TableState

OLD = Path(__file__).with_name("old")
SEED = 10_000_000_000


@dataclass(frozen=True)
class Left:
    """What the version that wrote a journal recovered from it: rounds as number, dealer and sum paid; meters
    as display, reserve, contributions and seeds in 1/10,000 cents."""

    name: str
    rows: int
    head: str
    game: str
    number: int
    phase: str
    cards: int
    rounds: tuple[tuple[int, str, int], ...]
    meter: tuple[int, int, int, int] | None = None


# fmt: off
LEFT = (
    Left("easy-jack-only", 113, "c7eef8325939af0f", "easy-jack", 5, "betting", 15,
         ((4, "7s", 19000), (3, "3c Kh", 1800), (2, "8h", -100), (1, "Jc", -100))),
    Left("easy-jack-only-killed", 77, "e01c841fee197253", "easy-jack", 3, "playing", 11,
         ((2, "Kc", 7500), (1, "As", -1500))),
    Left("six-games-blackjack-x", 208, "4cbcf15895987934", "blackjack-x", 5, "betting", 52,
         ((4, "Qd 9d", -15750), (3, "5s 9d As Qc", 2400), (2, "Th Qd", -12800), (1, "7s 6d Td", -300)),
         (10_000_900_000, 300_000, 1_200_000, SEED)),
    Left("six-games-ez-bust", 151, "5de4faf2c5eaf7b6", "ez-bust", 4, "betting", 40,
         ((3, "2s Qh 7c", 8800), (2, "Ts 4s Ah 3h", 14500), (1, "3d 4h Tc", 4050))),
    Left("sealed-blackjack-x-killed", 100, "831b8f6460fcf968", "blackjack-x", 2, "dealing", 23,
         ((1, "3h 5h 4c Jd", 1300),), (10_000_150_000, 50_000, 200_000, SEED)),
    Left("sealed-no-bust", 152, "bc19cb937dd07057", "no-bust-21st-century", 4, "betting", 44,
         ((3, "2c Js 6h", -30200), (2, "Kh 7s", 15000), (1, "Js 3h 4d", 17900))),
)
# fmt: on


@pytest.fixture(params=LEFT, ids=[left.name for left in LEFT])
def left(request: pytest.FixtureRequest, tmp_path: Path) -> Left:
    found: Left = request.param
    for file in OLD.glob(f"{found.name}.db*"):
        shutil.copy(file, tmp_path / file.name.replace(found.name, "table"))
    return found


def recovered(journal: Journal) -> TableState:
    rows = (entry.content for entry in journal.since(0))
    started = next(read_input(row) for row in rows if row.kind == "started")
    assert isinstance(started, Started)
    return recover(journal, started)


def test_an_older_journal_opens_with_the_table_as_it_was(left: Left, tmp_path: Path) -> None:
    with Journal(tmp_path / "table.db") as journal:
        assert journal.head is not None
        assert (journal.head.row, journal.head.hash.hex()[:16]) == (left.rows, left.head)
        assert journal.healed == ()
        state = recovered(journal)
    assert (state.rules.game, state.number, state.round.phase) == (left.game, left.number, left.phase)
    assert state.devices["shoe"].cards == left.cards
    rounds = tuple(
        (ended.number, " ".join(ended.dealer.cards), sum(line.paid or 0 for line in ended.lines))
        for ended in state.ended_views
    )
    assert rounds == left.rounds
    books = [meter.books for meter in state.meters.values()]
    assert [(b.display, b.reserve, b.contributions, b.seeds) for b in books] == (
        [left.meter] if left.meter else []
    )


def test_an_older_journal_is_migrated_and_the_old_file_is_kept(left: Left, tmp_path: Path) -> None:
    path, kept = tmp_path / "table.db", tmp_path / "table.db.schema-1"
    Journal(path).close()
    assert [version(path), version(kept)] == [SCHEMA, 1]
    assert kept.stat().st_mode & 0o777 == 0o640
    assert rows(kept) == rows(path)
    assert len(rows(kept)) == left.rows


def test_an_older_journal_is_migrated_once(left: Left, tmp_path: Path) -> None:
    path = tmp_path / "table.db"
    Journal(path).close()
    ours = path.read_bytes()
    with Journal(path) as journal:
        assert journal.healed == ()
        assert journal.head is not None
        assert journal.head.row == left.rows
    assert path.read_bytes() == ours


def test_an_older_journal_gets_a_mirror(left: Left, tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    mirror = tmp_path / "other" / "table.db"
    Journal(tmp_path / "table.db", mirror).close()
    assert len(rows(mirror)) == left.rows


@pytest.mark.parametrize("name", ["easy-jack-only", "sealed-no-bust"])
def test_an_older_journal_that_was_changed_is_not_migrated(name: str, tmp_path: Path) -> None:
    path = tmp_path / "table.db"
    damaged = (OLD / f"{name}.db").read_bytes().replace(b"SIM-SHOE", b"SIM-SHOF")
    path.write_bytes(damaged)
    with pytest.raises(JournalError, match=f"journal {path} is damaged: row 1 does not follow"):
        Journal(path)
    assert path.read_bytes() == damaged
    assert not (tmp_path / "table.db.schema-1").exists()


def version(path: Path) -> int:
    database = sqlite3.connect(f"file:{path}?mode=ro&immutable=1", uri=True)
    found = int(database.execute("PRAGMA user_version").fetchone()[0])
    database.close()
    return found


def rows(path: Path) -> list[tuple[object, ...]]:
    database = sqlite3.connect(f"file:{path}?mode=ro&immutable=1", uri=True)
    found = database.execute("SELECT * FROM journal ORDER BY row").fetchall()
    database.close()
    return found
