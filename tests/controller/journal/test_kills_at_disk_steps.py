"""A kill before any step on the disk, while files are made, closed, copied or migrated, loses no row."""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from controller.journal import names
from controller.journal.chain import RowContent
from controller.journal.journal import Journal
from tests.controller.journal.disks import ROWS, SNAPSHOT, Disks
from tests.controller.journal.killing import Killer, Work

OLD = Path(__file__).with_name("old")
MEMORY = Path("/dev") / "shm"


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    """In memory where possible: a kill loses nothing that was written."""
    with TemporaryDirectory(dir=MEMORY if MEMORY.is_dir() else tmp_path) as name:
        yield Path(name)


def at_every_step(folder: Path, prepare: Callable[[Disks], None], work: Work) -> tuple[int, list[list[str]]]:
    """The number of steps of the work, and the rows found after a kill before each."""
    found, step, going = list[list[str]](), 0, True
    prepared = Disks(folder / "prepared")
    prepare(prepared)
    with Killer() as killer:
        while going:
            disks = prepared.copied(folder / str(step))
            going = killer.killed_before(step, disks, work)
            found.append(disks.rows())
            if step % 8 == 0 or not going:
                goes_on(disks, found[-1])
            step += 1
    return step, found


def goes_on(disks: Disks, rows: list[str]) -> None:
    with disks.opened() as journal:
        journal.append([RowContent(1.0, "alert", "goes on")])
        journal.roll([SNAPSHOT])
    assert disks.rows() == [*rows, "goes on", "{}"]


BODIES = [row.body for row in ROWS]


def played(disks: Disks) -> None:
    """Rows in a closed file, and in the one that is open."""
    disks.add()
    disks.roll()
    disks.add()


def test_a_kill_while_a_journal_is_created_loses_no_row(folder: Path) -> None:
    steps, found = at_every_step(folder, lambda _disks: None, "add")
    assert steps > 20
    assert all(rows in ([], BODIES) for rows in found)
    assert found[-1] == BODIES


def test_a_kill_while_a_file_is_closed_loses_no_row(folder: Path) -> None:
    steps, found = at_every_step(folder, played, "roll")
    whole = [*BODIES, "{}", *BODIES]
    assert steps > 40
    assert all(rows in (whole, [*whole, "{}"]) for rows in found)
    assert [found[0], found[-1]] == [whole, [*whole, "{}"]]


def test_a_kill_while_the_mirror_is_made_loses_no_row(folder: Path) -> None:
    def prepare(disks: Disks) -> None:
        played(disks)
        disks.lose(disks.mirror)

    steps, found = at_every_step(folder, prepare, "open_and_close")
    assert steps > 20
    assert found == [[*BODIES, "{}", *BODIES]] * steps


@pytest.mark.parametrize("which", ["path", "mirror"])
def test_a_kill_while_a_damaged_copy_is_replaced_loses_no_row(folder: Path, which: str) -> None:
    def prepare(disks: Disks) -> None:
        played(disks)
        disks.damage(getattr(disks, which))

    steps, found = at_every_step(folder, prepare, "open_and_close")
    assert steps > 20
    assert found == [[*BODIES, "{}", *BODIES]] * steps


def test_a_kill_while_an_absent_mirror_catches_up_loses_no_row(folder: Path) -> None:
    def prepare(disks: Disks) -> None:
        played(disks)
        with Journal(disks.path) as journal:
            journal.roll([SNAPSHOT])
            journal.append(ROWS)

    steps, found = at_every_step(folder, prepare, "open_and_close")
    assert steps > 20
    assert found == [[*BODIES, "{}", *BODIES, "{}", *BODIES]] * steps


def test_a_kill_while_an_older_journal_is_migrated_loses_no_row(folder: Path) -> None:
    def prepare(disks: Disks) -> None:
        for file in OLD.glob("easy-jack-only-killed.db*"):
            shutil.copy(file, disks.path.parent / file.name.replace("easy-jack-only-killed", "table"))

    steps, found = at_every_step(folder, prepare, "open_and_close")
    assert steps > 20
    assert [len(rows) for rows in found] == [77] * steps


def test_a_kill_while_sums_are_recomputed_loses_no_row(folder: Path) -> None:
    def prepare(disks: Disks) -> None:
        played(disks)
        with Killer() as killer:
            assert not killer.killed_before(10_000, disks, "append")
        names.sums(disks.path).unlink()

    steps, found = at_every_step(folder, prepare, "open_and_close")
    assert steps > 10
    assert found == [[*BODIES, "{}", *BODIES, *BODIES]] * steps
