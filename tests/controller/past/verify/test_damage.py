"""Damaged files, partial verification, mirrors: what is reported, and that the rest is still checked."""

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from controller.journal import names
from controller.journal.chain import JournalRow, RowContent
from controller.journal.closed_files import list_closed_files
from controller.journal.errors import JournalError
from controller.journal.journal import Journal
from controller.past.anchor import Anchor
from controller.past.verify import audit
from controller.past.verify.external import VerifyDemands
from tests.fixtures.jackpot_table import SPOT
from tests.fixtures.journal_files import build, closed_files, overwrite, sample_rows
from tests.fixtures.journal_table import SIGNER, changed, findings, played_rows, report, write_journal


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "table.db"


@pytest.fixture
def whole(path: Path) -> list[JournalRow]:
    return write_journal(path, played_rows())


@pytest.fixture(params=[1, 2])
def small_parts(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> int:
    """As many processes; every snapshot begins a part."""
    monkeypatch.setattr(audit, "ALONE", 0)
    monkeypatch.setattr(audit, "LEAST", 1)
    monkeypatch.setattr(audit, "SHARES", 1000)
    return int(request.param)


def texts(path: Path, asked: VerifyDemands | None = None) -> list[str]:
    return [text for _, _, text in findings(path, asked)]


def test_the_report_counts_files_rows_rounds_and_signatures(path: Path, whole: list[JournalRow]) -> None:
    found = report(path)
    assert (found.files, found.first, found.last) == (3, 1, len(whole))
    assert found.head == whole[-1].hash.hex()
    assert found.summary.rounds == 6
    assert found.summary.movements == sum(entry.content.kind == "meter" for entry in whole)
    signed = [entry.row for entry in whole if entry.content.kind == "checkpoint"]
    assert {key: each.count for key, each in found.summary.keys.items()} == {SIGNER.public.hex(): len(signed)}
    assert found.summary.signed == signed[-1] - 1


class TestParts:
    def test_come_to_the_same_as_one(self, path: Path, whole: list[JournalRow], small_parts: int) -> None:
        assert whole
        found = report(path, VerifyDemands(processes=small_parts, public=SIGNER.public))
        assert found.findings == ()
        assert found.summary.rounds == 6
        assert found.summary.rows == len(whole)

    def test_meters_go_on_from_the_part_before(self, path: Path, small_parts: int) -> None:
        def less(body: dict[str, dict[str, dict[str, int]]]) -> None:
            for name in ("display", "seeds"):
                body["meters"][SPOT][name] -= 10_000

        write_journal(path, changed(played_rows(), "snapshot", 1, less))
        found = [
            text
            for about, _, text in findings(path, VerifyDemands(processes=small_parts))
            if about == "meter"
        ]
        assert len(found) == 2
        assert all("by row" in text for text in found)

    def test_rounds_go_on_from_the_part_before(self, path: Path, small_parts: int) -> None:
        parts = changed(played_rows(), "round", 3, lambda body: body["round"].update(number=9))
        write_journal(path, parts)
        found = texts(path, VerifyDemands(processes=small_parts))
        assert [text for text in found if "it should be 4" in text or "it should be 10" in text] == found[:2]

    def test_a_change_is_found_once(self, path: Path, whole: list[JournalRow], small_parts: int) -> None:
        assert whole
        overwrite(path, b'"wager":"main"', b'"wager":"Main"')
        found = findings(path, VerifyDemands(processes=small_parts, by_rules=False))
        assert {about for about, _, _ in found} == {"chain"}
        assert all("does not follow from the row before" in text for _, _, text in found)


def change(path: Path, statement: str, *values: int) -> None:
    """Changes a row like somebody who removes the triggers and puts them back."""
    path.chmod(0o600)
    with closing(sqlite3.connect(path, isolation_level=None)) as database:
        triggers = database.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").fetchall()
        for name, _ in triggers:
            database.execute(f"DROP TRIGGER {name}")
        database.execute(statement, values)
        for _, sql in triggers:
            database.execute(sql)


class TestChain:
    @pytest.mark.parametrize("number", range(3))
    def test_a_row_that_says_otherwise(self, path: Path, whole: list[JournalRow], number: int) -> None:
        files = [*closed_files(path), path]
        row = next(entry.row for entry in whole if entry.row > [2, 70, 130][number])
        file = next(
            (each.path for each in list_closed_files(path) if each.first <= row <= each.last), files[-1]
        )
        change(file, "UPDATE journal SET body = body || ' ' WHERE row = ?", row)
        found = findings(path)
        assert ("chain", row) in [(about, at) for about, at, _ in found]
        assert f"journal {file}: row {row}: it does not follow from the row before" in texts(path)
        assert any("SHA-256" in text for text in texts(path)) == (file != path)

    def test_rows_that_are_gone(self, path: Path, whole: list[JournalRow]) -> None:
        assert whole
        closed = list_closed_files(path)[1]
        row = closed.first + 5
        change(closed.path, "DELETE FROM journal WHERE row BETWEEN ? AND ?", row, row + 3)
        found = texts(path)
        assert any(f"row {row}: it is missing, with all rows up to row {row + 3}" in text for text in found)

    def test_the_last_rows_of_a_closed_file(self, path: Path, whole: list[JournalRow]) -> None:
        assert whole
        last = list_closed_files(path)[0].last
        change(closed_files(path)[0], "DELETE FROM journal WHERE row > ?", last - 3)
        assert any(f"row {last - 2}: it is missing, with all rows up to row {last}" in t for t in texts(path))

    def test_a_row_of_another_type(self, path: Path, whole: list[JournalRow]) -> None:
        assert whole
        change(path, "UPDATE journal SET kind = '\U0001f0cf' WHERE row = ?", len(whole))
        assert [about for about, _, _ in findings(path)] == ["checkpoint", "chain"]

    def test_a_foreign_file_in_the_archive(self, path: Path, whole: list[JournalRow], tmp_path: Path) -> None:
        other = tmp_path / "other" / "table.db"
        other.parent.mkdir()
        build(other, [sample_rows(len(whole))])
        closed = closed_files(path)[0]
        closed.chmod(0o600)
        shutil.copy(other, closed)
        found = texts(path)
        assert any(str(closed) in text for text in found)

    def test_a_file_that_is_no_journal(self, path: Path, whole: list[JournalRow]) -> None:
        assert whole
        closed = closed_files(path)[1]
        overwrite(closed, closed.read_bytes(), b"nothing")
        found = texts(path)
        assert found[0].startswith(f"journal {closed} cannot be read")
        assert not any(str(path) == finding.file for finding in report(path).findings[:1])

    def test_a_gap_between_files_ends_it(self, path: Path, whole: list[JournalRow]) -> None:
        assert whole
        closed_files(path)[1].unlink()
        with pytest.raises(JournalError, match=r"rows \d+ to \d+ are missing before it"):
            report(path)

    def test_many_findings_are_counted(self, path: Path) -> None:
        build(path, [sample_rows(300)])
        change(path, "UPDATE journal SET hash = x'00'")
        found = report(path)
        assert (len(found.findings), found.more) == (101, 200)  # and the last row is not the recorded one

    def test_a_row_that_continues_in_the_middle(self, path: Path) -> None:
        whole = build(path, [sample_rows(5), sample_rows(3)])
        again = path.with_name("again.db")
        contents = [entry.content for entry in whole]
        build(again, [contents])
        assert texts(again) == []
        other = path.with_name("other.db")
        build(other, [[*contents[:4], *contents[5:]]])
        assert texts(other) == [f"journal {other}: row 5: continued does not name the row before it"]


class TestOldestFiles:
    def test_that_are_gone_without_a_word(self, path: Path, whole: list[JournalRow]) -> None:
        assert whole
        first = list_closed_files(path)[1].first
        closed_files(path)[0].unlink()
        (found,) = texts(path)
        assert f"journal {closed_files(path)[0]}: it begins with row {first}; rows 1 to {first - 1}" in found
        assert found.endswith("are missing, and no row says that they were taken away")

    def test_that_a_row_says_were_taken_away(self, path: Path) -> None:
        parts = played_rows()
        whole = write_journal(path.with_name("other.db"), parts)
        last = next(entry.row for entry in whole if entry.content.kind == "continued") - 1
        body = f'{{"file":"x","first":1,"last":{last},"sha256":"00"}}'
        parts[2].append(RowContent(parts[2][-1].at, "retired", body))
        write_journal(path, parts)
        closed_files(path)[0].unlink()
        assert findings(path) == []


class TestExpected:
    def test_a_hash_that_was_noted(self, path: Path, whole: list[JournalRow]) -> None:
        noted = tuple(Anchor(entry.row, entry.hash) for entry in (whole[3], whole[80], whole[-1]))
        assert findings(path, VerifyDemands(anchors=noted)) == []

    def test_another_hash_than_expected_is_found(self, path: Path, whole: list[JournalRow]) -> None:
        (found,) = texts(path, VerifyDemands(anchors=(Anchor(4, whole[4].hash),)))
        assert f"row 4: its hash is {whole[3].hash.hex()}; it should be {whole[4].hash.hex()}" in found

    def test_a_row_that_is_not_there(self, path: Path, whole: list[JournalRow]) -> None:
        (found,) = texts(path, VerifyDemands(anchors=(Anchor(len(whole) + 1, bytes(32)),)))
        assert f"row {len(whole) + 1}: it is not there" in found

    def test_a_file_that_cannot_be_read_hides_no_other_finding(
        self, path: Path, whole: list[JournalRow]
    ) -> None:
        closed = closed_files(path)[0]
        overwrite(closed, closed.read_bytes(), b"nothing")
        anchors = (Anchor(1, whole[0].hash), Anchor(len(whole) + 1, bytes(32)))
        found = findings(path, VerifyDemands(anchors=anchors))
        assert [about for about, _, _ in found].count("expected") == 2
        assert "chain" in {about for about, _, _ in found}


class TestMirror:
    @pytest.fixture
    def mirror(self, path: Path, whole: list[JournalRow], tmp_path: Path) -> Path:
        assert whole
        mirror = tmp_path / "other disk" / "mirror.db"
        mirror.parent.mkdir()
        shutil.copy(path, mirror)
        shutil.copytree(names.archive(path), names.archive(mirror))
        return mirror

    def test_with_the_same_rows(self, path: Path, mirror: Path) -> None:
        assert findings(path, VerifyDemands(mirror=mirror)) == []

    def test_that_is_behind(self, path: Path, mirror: Path, whole: list[JournalRow]) -> None:
        change(mirror, "DELETE FROM journal WHERE row > ?", len(whole) - 5)
        assert findings(path, VerifyDemands(mirror=mirror)) == []

    def test_that_is_damaged(self, path: Path, mirror: Path, whole: list[JournalRow]) -> None:
        row = len(whole) - 5
        change(mirror, "UPDATE journal SET body = body || ' ' WHERE row = ?", row)
        assert findings(path, VerifyDemands(mirror=mirror)) == [
            ("mirror", row, f"journal {mirror}: row {row}: it does not follow from the row before")
        ]

    def test_of_another_journal(self, path: Path, mirror: Path, whole: list[JournalRow]) -> None:
        shutil.rmtree(names.archive(mirror))
        mirror.unlink()
        build(mirror, [sample_rows(len(whole))])
        (found,) = texts(path, VerifyDemands(mirror=mirror))
        assert f"journal {mirror}: row {len(whole)}: its hash is" in found

    def test_that_is_not_there(self, path: Path, whole: list[JournalRow]) -> None:
        assert whole
        assert texts(path, VerifyDemands(mirror=path.with_name("absent"))) == [
            f"journal {path.with_name('absent')} is not there"
        ]


def test_a_journal_in_use_has_no_findings(path: Path) -> None:
    rows = played_rows()
    with Journal(path, signer=SIGNER) as journal:
        journal.append(rows[0])
        assert findings(path, VerifyDemands(public=SIGNER.public)) == []
        journal.roll(rows[1])
        journal.append([row for row in rows[2] if row.kind != "snapshot"])
        assert findings(path, VerifyDemands(public=SIGNER.public)) == []
        assert report(path).files == 2
    assert findings(path, VerifyDemands(public=SIGNER.public)) == []


def test_an_empty_journal_has_no_findings(path: Path) -> None:
    with Journal(path):
        pass
    found = report(path)
    assert (found.findings, found.last, found.head) == ((), 0, "")


class TestBits:
    """A sample: one bit of every 211th byte."""

    @pytest.mark.parametrize("number", range(2))
    def test_of_a_closed_file_are_all_found(self, path: Path, whole: list[JournalRow], number: int) -> None:
        assert whole
        file = closed_files(path)[number]
        content = file.read_bytes()
        file.chmod(0o600)
        for place in range(number, len(content), 211):
            flipped = bytes([content[place] ^ 1 << place % 8])
            file.write_bytes(content[:place] + flipped + content[place + 1 :])
            assert any(str(file) in text for text in texts(path, VerifyDemands(by_rules=False))), place

    def test_of_a_live_file_are_told_and_raise_nothing_else(
        self, path: Path, whole: list[JournalRow]
    ) -> None:
        """Bits of a page without rows show nothing here; the daemon's own sums find them."""
        assert whole
        content, found = path.read_bytes(), 0
        for place in range(0, len(content), 211):
            flipped = bytes([content[place] ^ 1 << place % 8])
            path.write_bytes(content[:place] + flipped + content[place + 1 :])
            try:
                found += bool(findings(path, VerifyDemands(by_rules=False)))
            except JournalError as error:
                found += str(path) in str(error)
        assert found > len(content) // 211 // 2
