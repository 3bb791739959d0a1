"""A file of accounts of an earlier version is upgraded where it is."""

import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from controller.access.desk import AccessDesk
from controller.access.errors import AccountsUnusable, LockedOut
from controller.access.lockout import FIRST_LOCK, FREE_FAILURES
from controller.access.secrets import badge_hash, token_hash
from controller.access.store import AccessRecord
from tests.fixtures.access_desk import BADGE, PASSWORD, PIN, Clock, hashed, open_desk

VERSION_1 = """
CREATE TABLE account(name TEXT PRIMARY KEY COLLATE NOCASE, role TEXT NOT NULL, password TEXT, pin TEXT,
 badge BLOB UNIQUE, locked INTEGER NOT NULL DEFAULT 0, since REAL) STRICT;
CREATE TABLE session(token BLOB PRIMARY KEY, name TEXT NOT NULL COLLATE NOCASE, csrf TEXT NOT NULL,
 begun REAL NOT NULL, seen REAL NOT NULL, address TEXT NOT NULL) STRICT;
CREATE TABLE failure(name TEXT PRIMARY KEY COLLATE NOCASE, count INTEGER NOT NULL, until REAL NOT NULL)
 STRICT;
CREATE TABLE told(number INTEGER PRIMARY KEY AUTOINCREMENT, what TEXT NOT NULL, who TEXT NOT NULL,
 role TEXT NOT NULL, address TEXT NOT NULL, text TEXT NOT NULL) STRICT;
CREATE TABLE badge_key(key BLOB NOT NULL) STRICT;
PRAGMA user_version = 1;
"""
"""As the first release wrote it."""
KEY = bytes(range(32))
TOKEN = "a token of a session"
ELSEWHERE = "10.0.0.99"


@pytest.fixture
def old_file(tmp_path: Path, clock: Clock) -> Iterator[sqlite3.Connection]:
    """Ann is signed in, Dee is locked for another 5 minutes, and so are badges from one address."""
    path = tmp_path / "access.db"
    path.touch(0o600)
    with closing(sqlite3.connect(path)) as file:
        file.executescript(VERSION_1)
        until = clock.now + FIRST_LOCK
        with file:
            file.execute("INSERT INTO badge_key VALUES (?)", (KEY,))
            file.execute(
                "INSERT INTO account VALUES ('Ann', 'supervisor', ?, NULL, NULL, 0, ?)",
                (hashed(PASSWORD), clock.now),
            )
            file.execute(
                "INSERT INTO account VALUES ('Dee', 'dealer', NULL, ?, ?, 0, ?)",
                (hashed(PIN), badge_hash(KEY, BADGE), clock.now),
            )
            file.execute("INSERT INTO account VALUES ('New', 'auditor', NULL, NULL, NULL, 0, NULL)")
            file.execute(
                "INSERT INTO session VALUES (?, 'Ann', 'csrf', ?, ?, '10.0.0.7')",
                (token_hash(TOKEN), clock.now, clock.now),
            )
            file.executemany(
                "INSERT INTO failure VALUES (?, ?, ?)",
                [("Dee", FREE_FAILURES, until), (f"badges from {ELSEWHERE}", FREE_FAILURES, until)],
            )
            file.execute("INSERT INTO told VALUES (7, 'refused', 'Dee', 'dealer', 'x', 'y')")
        yield file


@pytest.mark.usefixtures("old_file")
async def test_accounts_sessions_locks_and_records_are_kept(tmp_path: Path, clock: Clock) -> None:
    with open_desk(tmp_path, clock) as desk:
        assert [account.name for account in desk.accounts.list_all()] == ["Ann", "Dee", "New"]
        session = desk.sessions.find(TOKEN)
        assert session
        assert (session.person.name, session.failures) == ("Ann", 0)
        assert [record for _, record in desk.pending_records()] == [
            AccessRecord("refused", "Dee", "dealer", "x", "y")
        ]
        await _is_locked(desk)
        clock.now += FIRST_LOCK
        await desk.sign_in("password", "Ann", PASSWORD, ELSEWHERE)
        await desk.sign_in("pin", "Dee", PIN, ELSEWHERE)
        await desk.sign_in("badge", "", BADGE, ELSEWHERE)


async def _is_locked(desk: AccessDesk) -> None:
    for address in ("10.0.0.7", "127.0.0.1"):
        with pytest.raises(LockedOut):
            await desk.sign_in("pin", "Dee", PIN, address)
    with pytest.raises(LockedOut):
        await desk.sign_in("badge", "", BADGE, ELSEWHERE)


@pytest.mark.usefixtures("old_file")
def test_an_upgraded_file_is_as_a_new_one(tmp_path: Path, clock: Clock) -> None:
    with open_desk(tmp_path, clock):
        pass
    (tmp_path / "new").mkdir()
    with open_desk(tmp_path / "new", clock):
        pass
    assert _columns(tmp_path / "access.db") == _columns(tmp_path / "new" / "access.db")


def test_a_file_from_before_ages_were_counted_counts_from_now(
    old_file: sqlite3.Connection, tmp_path: Path, clock: Clock
) -> None:
    old_file.execute("ALTER TABLE account DROP COLUMN since")
    old_file.commit()
    before = time.time() - 1
    with open_desk(tmp_path, clock) as desk:
        ages = {account.name: account.since for account in desk.accounts.list_all()}
    assert ages.pop("New") is None
    assert all(since and since >= before for since in ages.values())


def test_an_upgrade_that_fails_changes_nothing(
    old_file: sqlite3.Connection, tmp_path: Path, clock: Clock
) -> None:
    old_file.execute("CREATE TABLE failure_1(name TEXT)")
    before = list(old_file.iterdump())
    with pytest.raises(AccountsUnusable, match="failure_1"), open_desk(tmp_path, clock):
        pass
    assert list(old_file.iterdump()) == before
    assert old_file.execute("PRAGMA user_version").fetchone() == (1,)


def test_a_file_of_a_later_version_is_refused(
    old_file: sqlite3.Connection, tmp_path: Path, clock: Clock
) -> None:
    old_file.execute("PRAGMA user_version = 9")
    with pytest.raises(AccountsUnusable, match="its version is 9, this is 3"), open_desk(tmp_path, clock):
        pass


def _columns(path: Path) -> dict[str, set[tuple[object, ...]]]:
    """By table, the name, type, nullability, default and key of each column."""
    with closing(sqlite3.connect(path)) as file:
        names = [name for (name,) in file.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")]
        return {name: {row[1:] for row in file.execute(f"PRAGMA table_info({name})")} for name in names}


def test_a_language_stays_with_the_account_and_goes_with_it(tmp_path: Path) -> None:
    with open_desk(tmp_path, Clock()) as desk:
        desk.accounts.add("Ann", "supervisor", "root")
        desk.accounts.choose_language("Ann", "es")
        desk.accounts.choose_language("Ann", "en")
    with open_desk(tmp_path, Clock()) as desk:
        assert desk.accounts.language("ann") == "en"
        desk.accounts.remove("Ann", "root")
        desk.accounts.add("Ann", "supervisor", "root")
        assert desk.accounts.language("Ann") == ""
