"""A satellite of the daemon has another user: it reads the journal and cannot change it."""

import os
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from controller.journal import names
from controller.journal.chain import RowContent
from controller.journal.closed_files import list_closed_files
from controller.journal.errors import JournalError
from controller.journal.history import History
from controller.journal.journal import Journal

ROWS = [RowContent(1.5 * n, "event", f'{{"n":{n}}}', "shoe", b"\x07" * 8, n + 1) for n in range(6)]
SNAPSHOT = RowContent(9.0, "snapshot", "{}")
NOBODY = 65_534
GROUP = 54_321
"""A user and a group that own nothing else."""


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder of the daemon's user, as the package makes it; below /tmp, because others must reach it."""
    with TemporaryDirectory() as place:
        path = Path(place)
        if os.geteuid() == 0:
            os.chown(path, 0, GROUP)
        path.chmod(0o2750)
        yield path


def as_satellite(work: Callable[[], object]) -> str:
    """What happens when a satellite does this: the result, or the kind of the error. An ordinary user cannot
    become another one, and does it as the owner."""
    reader, writer = os.pipe()
    if child := os.fork():
        os.close(writer)
        with os.fdopen(reader) as answer:
            found = answer.read()
        os.waitpid(child, 0)
        return found
    try:
        os.write(writer, _result(work).encode())
    finally:
        os._exit(0)  # the rest of the test belongs to the parent


def _result(work: Callable[[], object]) -> str:
    if os.geteuid() == 0:
        os.setgroups([GROUP])
        os.setgid(NOBODY)
        os.setuid(NOBODY)
    try:
        return str(work())
    except (OSError, JournalError) as error:
        return type(error).__name__


def rows(path: Path) -> Callable[[], int]:
    return lambda: len(list(History(path).rows()))


def test_a_satellite_reads_a_journal_that_is_open_and_one_that_is_closed(folder: Path) -> None:
    path = folder / "journal"
    with Journal(path) as journal:
        journal.append(ROWS)
        assert as_satellite(rows(path)) == "6"
        journal.roll([SNAPSHOT])
        journal.append(ROWS)
        assert as_satellite(rows(path)) == str(len(list(History(path).rows())))
    assert as_satellite(rows(path)) == str(len(list(History(path).rows())))


def test_a_satellite_reads_a_journal_whose_daemon_was_killed(folder: Path) -> None:
    path = folder / "journal"
    if not (child := os.fork()):
        journal = Journal(path)
        journal.append(ROWS)
        os._exit(9)
    os.waitpid(child, 0)
    assert names.log(path).stat().st_size
    assert as_satellite(rows(path)) == "6"


def test_a_satellite_changes_nothing_in_the_folder_of_a_journal(folder: Path) -> None:
    path = folder / "journal"
    with Journal(path) as journal:
        journal.append(ROWS)
        journal.roll([SNAPSHOT])
    (closed,) = list_closed_files(path)
    files = [*filter(Path.exists, names.parts(path)), names.lock(path), closed.path]
    attempts: list[Callable[[], object]] = [partial(file.open, "ab") for file in files]
    attempts += [(folder / "journal-wal").touch, closed.path.unlink, path.unlink, names.lock(path).read_bytes]
    if os.geteuid() == 0:
        assert {as_satellite(each) for each in attempts} == {"PermissionError"}
    assert len(list(History(path).rows())) > len(ROWS)
