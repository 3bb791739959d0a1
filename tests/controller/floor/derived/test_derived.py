"""What the floor derives from rows, compared with what the readers of a table's own journal find there."""

import json
import sqlite3
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from controller.currency import UNNAMED, currency_in_use, named_currency, using
from controller.floor.derived.reader import derive
from controller.floor.derived.rebuild import rebuild
from controller.floor.derived.records import Course
from controller.journal.chain import START, JournalRow, RowContent, chain_rows
from controller.journal.history import TimeSpan
from controller.past import significant
from controller.past.recall.audit import AuditQuery, audit
from controller.past.recall.query import RoundQuery
from controller.past.recall.search import RoundsPage, search
from controller.table.record.codec import to_row
from tests.fixtures.currency_floor import CurrencyTable
from tests.fixtures.journal_files import build
from tests.fixtures.journal_table import LOSES, WINS
from tests.fixtures.random_nights import GAME, kept, night
from tests.fixtures.stored_floor import DAY, TABLE, StoredFloor

NAMES = ("round", "action", "event", "hit", "reading")


@pytest.fixture
def floor(tmp_path: Path) -> Iterator[StoredFloor]:
    made = StoredFloor(tmp_path / "store")
    yield made
    made.close()


@pytest.fixture(scope="module")
def journal(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[JournalRow]]:
    path = tmp_path_factory.mktemp("table") / "table.db"
    return path, kept(path, seed=2, files=(14, 10))


def tables(floor: StoredFloor) -> dict[str, list[tuple[Any, ...]]]:
    """The derived tables of all files, the file of each row first."""
    found: dict[str, list[tuple[Any, ...]]] = {name: [] for name in NAMES}
    for day in floor.store.days():
        with floor.store.open(day) as file:
            for name, rows in file.derived.rows(TABLE.key).items():
                found[name] += [(day.isoformat(), *row) for row in rows]
    return found


def rounds(floor: StoredFloor) -> dict[int, dict[str, Any]]:
    """The rounds by number; the newer file counts."""
    found = dict[int, dict[str, Any]]()
    for day in floor.store.days():
        with sqlite3.connect(floor.store.path(day)) as database:
            database.row_factory = sqlite3.Row
            found |= {row["number"]: dict(row) for row in database.execute("SELECT * FROM round")}
        database.close()
    return found


def all_rounds(path: Path) -> RoundsPage:
    return search(path, RoundQuery(), most=100)


def test_rounds_are_those_that_the_table_finds(
    floor: StoredFloor, journal: tuple[Path, list[JournalRow]]
) -> None:
    path, rows = journal
    assert floor.take_all(rows) == []
    stored, found = rounds(floor), all_rounds(path).rounds
    assert len(found) == len(stored) == 24
    assert any(one.corrected for one in found)
    assert any(one.outcome == "void" for one in found)
    for one in found:
        row = stored[one.number]
        assert row["outcome"].split()[0] == one.outcome
        assert ("corrected" in row["outcome"]) == one.corrected
        assert ("bust" in row["outcome"]) == (one.dealer.label == "bust")
        expected = (one.row, one.at, one.wagered, one.paid, one.croupier)
        assert (row["last"], row["at"], row["wagered"], row["paid"], row["dealer"]) == expected
        assert row["seats"] == "".join(str(net.seat) for net in one.nets)
        assert row["cards"].startswith("".join(card for card in one.dealer.cards if card != "??"))
        assert row["game"] == GAME


def test_a_round_begins_with_the_snapshot_before_it(
    floor: StoredFloor, journal: tuple[Path, list[JournalRow]]
) -> None:
    floor.take_all(journal[1])
    kinds = {row.row: row.content.kind for row in journal[1]}
    found = [row for row in rounds(floor).values() if row["number"] > 1]
    assert {kinds[row["first"]] for row in found} == {"snapshot"}
    between = [kinds[row] for each in found for row in range(each["first"] + 1, each["last"])]
    assert "round" not in between


def test_actions_are_the_lines_of_the_audit_log(
    floor: StoredFloor, journal: tuple[Path, list[JournalRow]]
) -> None:
    floor.take_all(journal[1])
    lines = audit(journal[0], AuditQuery(), most=1000).lines
    expected = [
        (line.row, line.at, line.sort, (line.persons or ("",))[0], ", ".join(line.persons[1:]), line.text)
        for line in reversed(lines)
    ]
    assert expected
    assert [row[3:] for row in tables(floor)["action"]] == expected


def test_events_are_the_significant_events(
    floor: StoredFloor, journal: tuple[Path, list[JournalRow]]
) -> None:
    floor.take_all(journal[1])
    events = significant.search(journal[0], significant.SignificantQuery(), significant.MOST).events
    expected = [(one.row, one.at, one.code, one.device, one.text) for one in reversed(events)]
    assert expected
    found = tables(floor)["event"]
    assert [(*row[3:5], *row[6:]) for row in found] == expected
    assert {row[5] for row in found} <= {"info", "warning", "error"}


def test_a_rebuild_gives_the_same_tables(floor: StoredFloor, journal: tuple[Path, list[JournalRow]]) -> None:
    floor.take_all(journal[1])
    before = tables(floor)
    done = rebuild(floor.store, floor.day)
    assert (done.journals, done.rows, done.rounds) == (1, len(journal[1]), 24)
    assert tables(floor) == before


def test_a_rebuild_mends_what_was_changed(floor: StoredFloor, journal: tuple[Path, list[JournalRow]]) -> None:
    floor.take_all(journal[1])
    before = tables(floor)
    with sqlite3.connect(floor.store.path(floor.day)) as database:
        database.execute("UPDATE round SET paid = 1 WHERE number = 5")
        database.execute("DELETE FROM action")
        database.execute("UPDATE event SET text = 'nothing'")
    database.close()
    rebuild(floor.store, floor.day)
    assert tables(floor) == before


def test_rounds_do_not_depend_on_how_rows_were_cut_into_batches(
    floor: StoredFloor, tmp_path: Path, journal: tuple[Path, list[JournalRow]]
) -> None:
    other, before = StoredFloor(tmp_path / "other"), START
    for place in range(0, len(journal[1]), 7):
        part = journal[1][place : place + 7]
        assert other.take(part, before) == []
        before = part[-1].hash
    floor.take_all(journal[1])
    assert tables(other) == tables(floor)
    other.close()


def test_a_correction_on_the_next_day_changes_the_round(floor: StoredFloor, tmp_path: Path) -> None:
    path, rows = corrected_late(tmp_path)
    place = next(place for place, row in enumerate(rows) if is_late(row.content))
    floor.take_all(rows[:place])
    floor.now += DAY
    floor.take_all(rows[place:], rows[place - 1].hash)
    for one in all_rounds(path).rounds:
        row = rounds(floor)[one.number]
        assert (row["last"], row["at"], row["paid"]) == (one.row, one.at, one.paid)
        assert ("corrected" in row["outcome"]) == one.corrected
    copies = [row for row in tables(floor)["round"] if row[-2]]
    assert copies
    before = tables(floor)
    for day in floor.store.days():
        rebuild(floor.store, day)
    assert tables(floor) == before


def test_a_correction_of_a_round_that_is_gone_changes_nothing(floor: StoredFloor, tmp_path: Path) -> None:
    rows = corrected_late(tmp_path)[1]
    place = next(place for place, row in enumerate(rows) if is_late(row.content))
    assert floor.take_all(rows[place:], rows[place - 1].hash, TABLE) == []


def test_a_row_that_makes_no_sense_is_stored_and_reported(floor: StoredFloor) -> None:
    rows = chain_rows(
        None, [RowContent(1.0, "round", '{"round":7}'), RowContent(2.0, "dealer", '{"who":"Al"}')]
    )
    (incident,) = floor.take_all(rows)
    assert (incident.kind, incident.row) == ("unreadable row", 1)
    assert "row 1 of kind round" in incident.why
    assert floor.rows() == rows
    assert [row[-1] for row in tables(floor)["action"]] == ["deals from now on"]


def test_many_rows_of_a_batch_that_make_no_sense_are_one_incident(floor: StoredFloor) -> None:
    (incident,) = floor.take_all(chain_rows(None, 3 * [RowContent(1.0, "round", '{"round":7}')]))
    assert incident.row == 1
    assert incident.why.endswith("and 2 more rows of the same batch")


ODD = ('"\\ud800"', "1e999", "NaN", str(2**63), "9" * 400, "null", '["x"]', '{"x":1}', "true", "[" * 5000)


@pytest.mark.parametrize(
    "row",
    [
        *(RowContent(1.0, "dealer", f'{{"who":{odd}}}') for odd in ODD if odd != "true"),
        *(RowContent(1.0, "started", f'{{"game":{odd}}}') for odd in ODD),
        *(RowContent(1.0, "device running", f'{{"device":{odd}}}') for odd in ODD),
        RowContent(1.0, "meter", '{"jackpot":"x","books":{"display":-1}}'),
    ],
)
def test_a_row_that_the_store_cannot_hold_does_not_hold_up_other_tables(
    floor: StoredFloor, row: RowContent
) -> None:
    rows = chain_rows(None, [row, RowContent(2.0, "dealer", '{"who":"Al"}')])
    (incident,) = floor.take_all(rows)
    assert (incident.kind, incident.row) == ("unreadable row", 1)
    assert len(incident.why) < 300
    assert [each[-3] for each in tables(floor)["action"]] == ["Al"]
    floor.restart()
    assert floor.rows() == rows


def test_nothing_is_derived_from_a_part_of_a_row_that_makes_no_sense(
    floor: StoredFloor, journal: tuple[Path, list[JournalRow]]
) -> None:
    """The round can be read, its number cannot be stored."""
    (ended, *_rest) = [row.content for row in journal[1] if row.content.kind == "round"]
    body = json.loads(ended.body)
    body["round"]["number"] = 2**63
    assert floor.take_all(chain_rows(None, [replace(ended, body=json.dumps(body))]))
    assert not any(tables(floor).values())


def test_a_kind_of_a_newer_version_says_nothing(floor: StoredFloor) -> None:
    assert floor.take_all(chain_rows(None, [RowContent(1.0, "something new", "{}")])) == []


def test_a_file_knows_its_earliest_and_latest_time(floor: StoredFloor) -> None:
    times = (5.0, 3.0, 9.0)
    rows = chain_rows(None, [RowContent(at, "something new", "{}") for at in times])
    assert floor.store.newest.derived.span() is None
    floor.take_all(rows)
    span = floor.store.newest.derived.span()
    assert span
    assert (span.since, span.until) == (3.0, 9.0)


def test_a_closed_file_leaves_a_record_of_its_times(floor: StoredFloor) -> None:
    rows = chain_rows(None, [RowContent(at, "something new", "{}") for at in (5.0, 3.0, 9.0)])
    floor.take_all(rows[:2])
    first = floor.store.days()[0]
    floor.now += DAY
    floor.take_all(rows[2:], rows[1].hash)
    second = floor.store.days()[1]
    assert floor.store.spans() == [(second, TimeSpan(9.0, 9.0)), (first, TimeSpan(3.0, 5.0))]
    record = floor.folder / f"day-{first}.sqlite.span"
    for spoiled in ("", "[1]", "nonsense"):
        record.write_text(spoiled)
        assert floor.store.spans()[1] == (first, TimeSpan(3.0, 5.0))
    record.unlink()
    floor.restart()
    assert record.exists()
    rebuild(floor.store, first)
    assert floor.store.spans()[1] == (first, TimeSpan(3.0, 5.0))
    floor.now += 200 * DAY
    floor.restart()
    floor.store.retire(90)
    assert not record.exists()


def is_late(row: RowContent) -> bool:
    """Whether the row corrects a round that had ended."""
    return row.kind == "corrected" and '"ended":{' in row.body


def corrected_late(folder: Path) -> tuple[Path, list[JournalRow]]:
    """A journal with a correction of a round that had ended."""
    for seed in range(1, 20):
        (part,) = night(GAME, seed, (12,))
        rows = [replace(row, at=round(row.at, 3)) for row in part]
        if any(is_late(row) for row in rows):
            path = folder / "late.db"
            return path, build(path, [rows])
    raise AssertionError("no night has such a correction")


def currencies(floor: StoredFloor) -> set[str]:
    """The currencies of the rounds and of the claims."""
    found = tables(floor)
    assert found["round"]
    assert found["hit"]
    return {row[-1] for name in ("round", "hit") for row in found[name]}


def yen(path: Path) -> list[JournalRow]:
    """A journal in yen, with a jackpot that was won."""
    table = CurrencyTable("JPY")
    for tokens in (WINS, LOSES):
        table.clear()
        table.play(tokens)
        table.pay_claims()
    return build(path, [table.rows])


def test_rounds_claims_and_texts_have_the_currency_of_the_journal(floor: StoredFloor, tmp_path: Path) -> None:
    path = tmp_path / "table.db"
    floor.take_all(yen(path))
    assert currencies(floor) == {"JPY"}
    with using(named_currency("JPY")):
        lines = audit(path, AuditQuery(), most=1000).lines
    expected = [line.text for line in reversed(lines)]
    assert expected
    assert [row[-1] for row in tables(floor)["action"]] == expected
    assert currency_in_use() == UNNAMED


def test_a_start_names_the_currency_from_then_on() -> None:
    """A table without one plays on in dollars."""
    table = CurrencyTable("")
    rows = [to_row(1.0, replace(table.script.started(), currency=code)) for code in ("", "USD")]
    assert derive(chain_rows(None, rows[:1]), Course())[1].money == UNNAMED
    assert derive(chain_rows(None, rows), Course())[1].currency == "USD"


def test_the_code_of_no_currency_makes_no_sense(floor: StoredFloor) -> None:
    started = to_row(1.0, replace(CurrencyTable("").script.started(), currency="XYZ"))
    (incident,) = floor.take_all(chain_rows(None, [started]))
    assert (incident.kind, incident.row) == ("unreadable row", 1)
    assert "'XYZ' is not the code of a currency" in incident.why


def test_files_of_the_version_before_have_currencies_once_they_are_rebuilt(
    floor: StoredFloor, tmp_path: Path
) -> None:
    rows = yen(tmp_path / "table.db")
    floor.take_all(rows[:-3])
    first = floor.store.days()[0]
    floor.now += DAY
    floor.take_all(rows[-3:], rows[-4].hash)
    expected = tables(floor)
    floor.close()
    for day in (first, floor.day):
        with sqlite3.connect(floor.store.path(day)) as database:
            for table in ("round", "hit", "course", "opening"):
                database.execute(f"ALTER TABLE {table} DROP COLUMN currency")
            database.execute("PRAGMA user_version = 3")
        database.close()
    floor.open()
    assert currencies(floor) == {""}
    assert floor.store.newest.derived.course(TABLE.key).money == UNNAMED
    for day in floor.store.days():
        rebuild(floor.store, day)
    assert tables(floor) == expected
