"""`verify` finds nothing in a whole store, and finds each change to it."""

import json
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from controller.commands.app import app
from controller.floor import floor_log
from controller.floor.batch import batches, rows_of
from controller.floor.floor_log import FloorEntry, hash_of
from controller.floor.projector import Admission
from controller.floor.register import Decision, DecisionKind, FloorRegister
from controller.floor.verify.check import check_store
from controller.journal.chain import START, JournalRow, RowContent, chain_rows
from controller.journal.signing import Signer
from tests.fixtures.journal_files import build, sample_rows
from tests.fixtures.random_nights import GAME, night
from tests.fixtures.stored_floor import DAY, SIGNER, TABLE, StoredFloor

OTHER = Signer(bytes(range(1, 33)))
Journal = tuple[Path, list[JournalRow]]


@pytest.fixture(scope="module")
def journal(tmp_path_factory: pytest.TempPathFactory) -> Journal:
    """A table's own journal of two files, with signatures."""
    path = tmp_path_factory.mktemp("table") / "table.db"
    return path, build(path, night(GAME, 2, (12, 5)), SIGNER)


@pytest.fixture
def floor(tmp_path: Path, journal: Journal) -> Iterator[StoredFloor]:
    """A floor with one half of the journal in the file of a day, and the other half in the next file."""
    made = StoredFloor(tmp_path / "stores")
    decide(made, "admit", Admission(1, START, SIGNER.public))
    rows = journal[1]
    middle = len(rows) // 2
    assert made.take_all(rows[:middle]) == []
    made.now += DAY
    assert made.take_all(rows[middle:], rows[middle - 1].hash) == []
    yield made
    made.close()


def decide(floor: StoredFloor, kind: DecisionKind, admission: Admission) -> None:
    with FloorRegister(floor.folder, lambda: floor.now) as register:
        register.decide(Decision(kind, TABLE, admission, "Ann", "Bo", "new", 1.0))


def found(floor: StoredFloor, table: str = "") -> list[tuple[str, str]]:
    """What the findings are about, and their sentences."""
    with FloorRegister(floor.folder, lambda: floor.now) as register:
        decisions = register.decisions()
    return [(one.about, one.text) for one in check_store(floor.folder, decisions, table=table).findings]


def change(floor: StoredFloor, day: int, *statements: str) -> None:
    """Change the file of a day, counted from 0."""
    path = floor.store.path(floor.store.days()[day])
    database = sqlite3.connect(path, isolation_level=None)
    for statement in statements:
        assert database.execute(statement).rowcount, statement
    database.close()


def test_a_whole_store_has_no_finding(floor: StoredFloor, journal: Journal) -> None:
    with FloorRegister(floor.folder, lambda: floor.now) as register:
        report = check_store(floor.folder, register.decisions())
    assert report.findings == ()
    assert (report.days, report.journals, report.rows) == (2, 1, len(journal[1]))


@pytest.mark.parametrize(
    ("day", "statement", "about", "why"),
    [
        (0, "UPDATE segment SET data = x'00' WHERE id = 1", "damage", "the data is cut off"),
        (1, "DELETE FROM segment WHERE id = 1", "chain", "and that gap is not accepted"),
        (0, "UPDATE head SET row = row - 1", "head", "the file says that the rows end with row"),
        (1, "UPDATE opening SET hash = zeroblob(32)", "head", "the file before ends with row"),
        (1, "UPDATE anchor SET row = 3", "anchor", "another anchor than the last signature"),
        (0, "UPDATE round SET paid = 12345 WHERE number = 3", "derived", "the rounds are not those"),
        (0, "DELETE FROM action WHERE row = (SELECT min(row) FROM action)", "derived", "the actions are"),
        (1, "UPDATE event SET text = 'nothing'", "derived", "the events are not those of the rows"),
        (
            0,
            "INSERT INTO hit VALUES ('bj-1', '0123456789abcdef', 5, 1, 1, 1, 1, 'x', 1, 'won', '', 0, 'USD')",
            "derived",
            "hits",
        ),
        (1, "UPDATE course SET dealer = 'Stranger'", "derived", "dealer and game are not those of the rows"),
        (0, "UPDATE span SET latest = earliest", "derived", "the earliest and the latest time are not"),
    ],
)
def test_what_was_changed_is_a_finding(
    floor: StoredFloor, day: int, statement: str, about: str, why: str
) -> None:
    change(floor, day, statement)
    findings = found(floor)
    assert about in {kind for kind, _ in findings}
    assert any(why in text for kind, text in findings if kind == about), findings
    assert all(f"{TABLE.table} {TABLE.epoch}" in text for _, text in findings)


def test_rows_that_were_replaced_by_others_of_a_good_chain_are_found(floor: StoredFloor) -> None:
    """A person who rewrites the end of a day has to rewrite every later file too."""
    day = floor.store.days()[0]
    with floor.store.open(day) as file:
        last = list(file.segments(TABLE))[-1]
    (forged,) = batches(last.before, forge(rows_of(last), last.before))
    path = floor.store.path(day)
    with sqlite3.connect(path) as database:
        values = (forged.data, forged.hash, last.first)
        database.execute("UPDATE segment SET data = ?, hash = ? WHERE first = ?", values)
        database.execute("UPDATE head SET hash = ?", (forged.hash,))
    database.close()
    assert "head" in {about for about, _ in found(floor)}


def forge(rows: list[JournalRow], before: bytes) -> list[JournalRow]:
    """The same rows, the last one with another text, in a chain of their own."""
    contents = [row.content for row in rows]
    changed = [*contents[:-1], RowContent(contents[-1].at, "event", '{"n":1,"body":{"cut_card":{}}}')]
    place = JournalRow(rows[0].row - 1, contents[0], before)
    return chain_rows(place, changed)


def test_the_signature_of_another_key_is_found(tmp_path: Path, journal: Journal) -> None:
    made = StoredFloor(tmp_path / "stores")
    decide(made, "admit", Admission(1, START, OTHER.public))
    assert made.take_all(journal[1]) == []
    made.close()
    texts = [text for about, text in found(made) if about == "signature"]
    assert f"the signature is not one of the key {OTHER.public.hex()}" in texts[0]


def test_a_journal_that_nobody_admitted_is_found(tmp_path: Path) -> None:
    made = StoredFloor(tmp_path / "stores")
    made.take_all(chain_rows(None, sample_rows(9)))
    made.close()
    about, text = found(made)[0]
    assert about == "chain"
    assert "no admitted journal begins with this row" in text


def test_an_accepted_gap_is_no_finding(tmp_path: Path) -> None:
    made, rows = StoredFloor(tmp_path / "stores"), chain_rows(None, sample_rows(9))
    decide(made, "admit", Admission(1, START, SIGNER.public))
    made.take_all(rows[:4])
    gap = Admission(7, rows[5].hash, SIGNER.public)
    made.accepted[TABLE] = gap
    assert made.take_all(rows[6:], rows[5].hash) == []
    made.close()
    ((about, text),) = found(made)
    assert about == "chain"
    assert "row 7: it comes after row 4, and that gap is not accepted" in text
    decide(made, "accept gap", gap)
    assert found(made) == []


def test_the_oldest_file_is_checked_without_those_that_were_deleted(floor: StoredFloor) -> None:
    floor.store.path(floor.store.days()[0]).unlink()
    assert found(floor) == []


def test_the_own_journal_of_the_floor_is_checked(floor: StoredFloor) -> None:
    path = floor.folder / "floor.journal"
    build(path, [entries(3)])
    assert found(floor) == []
    path.unlink()
    build(path, [[*entries(2), entries(4)[3]]])
    assert found(floor) == [("log", f"journal {path}: row 3: entry 4 does not follow from entry 2")]
    assert found(floor, table="bj-1") == []


def entries(number: int) -> list[RowContent]:
    """The rows of so many entries."""
    rows, before = list[RowContent](), floor_log.FIRST
    for n in range(1, number + 1):
        entry = FloorEntry(v=1, n=n, at=float(n), before=before, kind="command", body={})
        rows.append(RowContent(entry.at, floor_log.ENTRY, entry.payload.decode(), number=n))
        before = hash_of(entry.payload)
    return rows


@pytest.fixture
def config(floor: StoredFloor) -> Path:
    path = floor.folder.with_name("floor.toml")
    path.write_text('property = "house"\nservers = ["nats://127.0.0.1:4222"]\n')
    return path


def verify(config: Path, *words: str) -> Result:
    return CliRunner().invoke(app, ["floor", "verify", *words, "--config", str(config)])


def test_the_command_says_what_was_checked(config: Path, journal: Journal) -> None:
    done = verify(config)
    assert done.exit_code == 0, done.output
    assert done.output == f"Nothing is wrong: {len(journal[1])} rows of 1 journals in the files of 2 days\n"
    whole = json.loads(verify(config, "--json").output)
    assert (whole["whole"], whole["rows"], whole["findings"]) == (True, len(journal[1]), [])


def test_the_command_prints_a_finding_a_line(config: Path, floor: StoredFloor) -> None:
    change(floor, 1, "UPDATE round SET paid = 12345", "DELETE FROM event")
    done = verify(config)
    assert done.exit_code == 1
    assert len(done.output.splitlines()) == 2
    assert f"tableside floor rebuild {floor.day} derives them again" in done.output
    first, second = floor.store.days()
    assert verify(config, "--day", first.isoformat()).exit_code == 0
    assert verify(config, "--day", second.isoformat()).exit_code == 1


@pytest.mark.parametrize(
    ("words", "status", "why"),
    [
        (["--day", "today"], 2, "day = 'today': no date"),
        (["--day", "2001-01-01"], 1, "the floor has no file of this gaming day"),
        (["--table", "bj-9"], 1, "table 'bj-9': nothing of it is stored"),
        (["--journal", "missing.db"], 1, "missing.db"),
    ],
)
def test_what_is_not_there_cannot_be_checked(config: Path, words: list[str], status: int, why: str) -> None:
    done = verify(config, *words)
    assert done.exit_code == status
    assert why in done.output.replace("\n", "")


def test_the_own_journal_of_a_table_has_the_same_rows(config: Path, journal: Journal) -> None:
    assert verify(config, "--journal", str(journal[0])).exit_code == 0


def test_the_journal_of_another_table_is_not_taken_for_this_one(config: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.db"
    build(other, [sample_rows(9)])
    done = verify(config, "--journal", str(other))
    assert done.exit_code == 1
    assert "the floor has none of its rows; compared with: bj-1" in done.output


def test_a_journal_that_differs_from_a_row_on_is_found(config: Path, tmp_path: Path) -> None:
    nights = night(GAME, 2, (12, 5))
    nights[1] = sample_rows(400)
    path = tmp_path / "other.db"
    build(path, nights, SIGNER)
    done = verify(config, "--journal", str(path))
    assert done.exit_code == 1
    assert "of the floor are not those of this journal" in done.output


def test_a_journal_that_was_put_back_is_found(config: Path, tmp_path: Path) -> None:
    path = tmp_path / "older.db"
    rows = build(path, night(GAME, 2, (12,)), SIGNER)
    done = verify(config, "--journal", str(path))
    assert done.exit_code == 1
    assert f"it ends with row {rows[-1].row}, and the floor has rows up to" in done.output


def test_rows_that_the_floor_does_not_have_are_found(tmp_path: Path, journal: Journal) -> None:
    made, rows = StoredFloor(tmp_path / "stores"), journal[1]
    decide(made, "admit", Admission(1, START, SIGNER.public))
    made.take_all(rows[:50])
    made.close()
    config = tmp_path / "floor.toml"
    config.write_text('property = "house"\nservers = ["nats://127.0.0.1:4222"]\n')
    done = verify(config, "--journal", str(journal[0]))
    assert done.exit_code == 1
    assert "the floor does not have the rows 51 to" in done.output
