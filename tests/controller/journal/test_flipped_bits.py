"""Changed bytes on disk are found before anything of the journal is used."""

import os
import random
import shutil
import sqlite3
from pathlib import Path

import pytest

from controller.journal import names
from controller.journal.errors import JournalError
from controller.journal.inspection import read
from controller.journal.journal import Journal
from controller.journal.sqlite_format import PAGE, read_log
from tests.controller.journal import bits

ROWS = 40
"""Some 16 KB."""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    bits.closed(tmp_path / "table.db", ROWS)
    return tmp_path / "table.db"


@pytest.fixture
def left(tmp_path: Path) -> Path:
    """A journal as a kill leaves it: its last rows are only in SQLite's log."""
    files = bits.killed(tmp_path / "other.db", 20, 6)
    path = tmp_path / "left.db"
    for part, content in zip(
        (path, names.log(path), names.head(path), names.sums(path)),
        (files.main, files.log, files.head, files.sums),
        strict=True,
    ):
        part.write_bytes(content or b"")
    return path


def everything(path: Path) -> dict[str, bytes]:
    """All files of a journal except the index of its log, which SQLite makes anew each time."""
    kept = [part for part in names.parts(path) if part != names.index(path)]
    return {part.name: part.read_bytes() for part in kept if part.exists()}


def refused(path: Path, sentence: str) -> None:
    """The journal is not opened, the error names it, and nothing on disk changes."""
    before = everything(path)
    with pytest.raises(JournalError, match=sentence) as refusal:
        Journal(path)
    assert str(path) in str(refusal.value)
    assert everything(path) == before


def flip(path: Path, byte: int, bit: int) -> None:
    content = bytearray(path.read_bytes())
    content[byte] ^= 1 << bit
    path.write_bytes(content)


def test_a_flipped_bit_in_any_page_is_found(path: Path) -> None:
    files = read(path)
    count = bits.flip(path, files, "main", bits.every(range(len(files.main))))
    assert (count.flipped, count.undetected) == (8 * len(files.main), [])


@pytest.mark.parametrize("name", ["head", "sums"])
def test_a_flipped_bit_in_the_sums_or_the_record_is_found(path: Path, name: str) -> None:
    files = read(path)
    count = bits.flip(path, files, name, bits.every(range(len(getattr(files, name)))))
    assert count.flipped > 400
    assert count.undetected == []


def test_a_flipped_bit_in_any_committed_log_frame_is_found(tmp_path: Path) -> None:
    path = tmp_path / "table.db"
    files = bits.killed(path, 10, 1)
    places = bits.committed(path, files)
    count = bits.flip(path, files, "log", bits.every(places))
    assert (count.flipped, count.undetected) == (8 * len(places), [])
    assert len(places) > PAGE


def test_a_flipped_bit_in_any_byte_of_a_long_log_is_found(left: Path) -> None:
    files = read(left)
    count = bits.flip(left, files, "log", bits.some(bits.committed(left, files)[::9], seed=1))
    assert count.flipped > PAGE
    assert count.undetected == []


@pytest.mark.parametrize("seed", range(25))
def test_opening_a_journal_with_a_flipped_bit_changes_nothing(path: Path, seed: int) -> None:
    chance = random.Random(seed)
    flip(path, chance.randrange(path.stat().st_size), chance.randrange(8))
    refused(path, r"is damaged: not as it was written in page \d$")


@pytest.mark.parametrize("seed", range(15))
def test_opening_a_journal_with_a_flipped_log_bit_changes_nothing(left: Path, seed: int) -> None:
    chance = random.Random(seed)
    places = bits.committed(left, read(left))
    flip(names.log(left), chance.choice(places), chance.randrange(8))
    refused(left, r"is damaged: (the header of )?its log .*left\.db-wal was changed")


def test_what_a_kill_leaves_is_opened(left: Path) -> None:
    with Journal(left) as journal:
        assert journal.healed == ()
        assert [entry.row for entry in journal.since(0)] == list(range(1, 27))


def test_pages_that_the_log_has_may_be_anything(left: Path) -> None:
    """A kill in the middle of a checkpoint leaves such pages."""
    log = read_log(left, read(left).log)
    content = bytearray(left.read_bytes())
    for page in log.places:
        content[(page - 1) * PAGE : page * PAGE] = os.urandom(PAGE)
    left.write_bytes(content)
    with Journal(left) as journal:
        assert [entry.row for entry in journal.since(0)] == list(range(1, 27))
    with Journal(left) as journal:
        assert journal.healed == ()


@pytest.mark.parametrize("cut", [0, 1, 100, 4095, 4096, 6000, 8192, 12288, 16383])
def test_a_truncated_journal_is_refused(path: Path, cut: int) -> None:
    os.truncate(path, cut)
    refused(path, "is damaged")


def test_a_journal_with_extra_pages_is_refused(path: Path) -> None:
    path.write_bytes(path.read_bytes() + bytes(PAGE))
    refused(path, "not as it was written in page 5")


@pytest.mark.parametrize("cut", [0, 32, 4151, 4152, 8271, 20000])
def test_a_journal_with_a_truncated_log_is_refused(left: Path, cut: int) -> None:
    os.truncate(names.log(left), cut)
    refused(left, r"is damaged: (its log .* was changed|rows \d+ to 26 are gone)")


def test_a_journal_without_its_log_is_refused(left: Path) -> None:
    names.log(left).unlink()
    refused(left, "is damaged: rows 21 to 26 are gone")


def test_a_journal_with_an_older_log_is_refused(left: Path, path: Path) -> None:
    shutil.copy(names.log(left), names.log(path))
    refused(path, "is damaged")


def test_swapped_pages_are_refused(path: Path) -> None:
    content = path.read_bytes()
    path.write_bytes(
        content[:PAGE] + content[2 * PAGE : 3 * PAGE] + content[PAGE : 2 * PAGE] + content[3 * PAGE :]
    )
    refused(path, "not as it was written in page 2, 3")


def test_missing_last_rows_are_refused(path: Path) -> None:
    """Somebody who knows how to drop the triggers removed the rows and recomputed the sums."""
    change(path, "DELETE FROM journal WHERE row > 37")
    refused(path, "is damaged: rows 38 to 40 are gone")


def test_a_replaced_last_row_is_refused(path: Path, tmp_path: Path) -> None:
    with Journal(tmp_path / "foreign.db") as foreign:
        foreign.append([entry.content for entry in bits.real_rows()[1 : ROWS + 1]])
    shutil.copy(tmp_path / "foreign.db", path)
    refused(path, "is damaged: not as it was written")
    names.sums(path).unlink()
    refused(path, "is damaged: row 40 is not the one that was written")


def change(path: Path, statement: str) -> None:
    database = sqlite3.connect(path, isolation_level=None)
    triggers = [sql for (sql,) in database.execute("SELECT sql FROM sqlite_master WHERE type = 'trigger'")]
    for name in ("no_update", "no_delete", "in_order"):
        database.execute(f"DROP TRIGGER {name}")
    database.execute(statement)
    for trigger in triggers:
        database.execute(trigger)
    database.close()
    names.sums(path).unlink()


@pytest.mark.parametrize("content", [None, b"", b"x", bytes(52), b"x" * 4096])
def test_the_sums_of_a_whole_journal_are_made_anew(path: Path, content: bytes | None) -> None:
    names.sums(path).unlink()
    if content is not None:
        names.sums(path).write_bytes(content)
    with Journal(path) as journal:
        assert [str(names.sums(path)) in sentence for sentence in journal.healed] == [True]
        assert len(list(journal.since(0))) == ROWS
    with Journal(path) as journal:
        assert journal.healed == ()
    flip(path, 9000, 3)
    refused(path, "not as it was written in page 3")


def test_damaged_pages_are_found_although_the_sums_are_damaged(path: Path) -> None:
    flip(names.sums(path), 12 + 20 * 2, 0)
    flip(path, 5000, 0)
    refused(path, "not as it was written in page 2")


def test_damaged_rows_are_found_although_a_sum_is_damaged(path: Path) -> None:
    body = bits.real_rows()[30].content.body.encode()
    content = path.read_bytes()
    at = content.index(body)
    flip(path, at, 1)
    flip(names.sums(path), 12 + 20 * (at // PAGE), 0)
    refused(path, "is damaged: row 31 does not follow")


def test_a_journal_ahead_of_its_record_is_opened(path: Path) -> None:
    """The record is not forced to the disk with each commit: a power loss leaves an older one."""
    older = names.head(path).read_bytes()
    with Journal(path) as journal:
        journal.append([entry.content for entry in bits.real_rows()[ROWS : ROWS + 5]])
    names.head(path).write_bytes(older)
    with Journal(path) as journal:
        assert journal.healed == ()
        assert len(list(journal.since(0))) == ROWS + 5


def test_a_missing_journal_with_a_record_is_refused(path: Path) -> None:
    path.unlink()
    refused(path, "is gone: its last row was 40")
    names.head(path).unlink()
    names.sums(path).unlink()
    with Journal(path) as journal:
        assert journal.head is None
