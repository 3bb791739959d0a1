"""A session belongs to one person, and ends."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from controller.access.desk import AccessDesk
from controller.access.errors import AccountsUnusable, LockedOut, WrongSecret
from controller.access.lockout import FREE_FAILURES
from controller.access.sessions import LIMITS, TOUCH_INTERVAL
from tests.fixtures.access_desk import (
    FROM,
    PASSWORD,
    PIN,
    Clock,
    fail_sign_in,
    hire_staff,
    open_desk,
    records_of,
)


async def test_a_new_session_replaces_the_persons_older_one(desk: AccessDesk) -> None:
    older, _ = await desk.sign_in("password", "Ann", PASSWORD, FROM)
    newer, _ = await desk.sign_in("password", "Ann", PASSWORD, "10.0.0.9")
    assert (desk.sessions.find(older), bool(desk.sessions.find(newer))) == (None, True)
    assert records_of(desk) == [("signed in", "Ann"), ("replaced", "Ann"), ("signed in", "Ann")]


@pytest.mark.parametrize(
    ("kind", "name", "secret", "role"),
    [("password", "Ann", PASSWORD, "supervisor"), ("pin", "Dee", PIN, "dealer")],
)
async def test_a_session_ends_by_itself(
    desk: AccessDesk, clock: Clock, kind: str, name: str, secret: str, role: str
) -> None:
    limits = LIMITS["supervisor" if role == "supervisor" else "dealer"]
    token, _ = await desk.sign_in("pin" if kind == "pin" else "password", name, secret, FROM)
    begun = clock.now
    while clock.now < begun + limits.longest - limits.idle:
        clock.now += limits.idle
        assert desk.sessions.find(token)
    clock.now = begun + limits.longest + 1
    assert desk.sessions.find(token) is None
    token, _ = await desk.sign_in("pin" if kind == "pin" else "password", name, secret, FROM)
    clock.now += limits.idle - 1
    assert desk.sessions.find(token, active=False)
    clock.now += 2
    assert desk.sessions.find(token) is None
    assert records_of(desk)[-1] == ("expired", name)


async def test_signing_out_ends_the_session_once(desk: AccessDesk) -> None:
    token, session = await desk.sign_in("password", "Ann", PASSWORD, FROM)
    assert desk.sessions.end(token, FROM) == session.person
    assert desk.sessions.find(token) is None
    assert desk.sessions.end(token, FROM) is None
    assert records_of(desk) == [("signed in", "Ann"), ("signed out", "Ann")]


@pytest.mark.parametrize("change", ["lock", "remove"])
async def test_whoever_is_locked_or_removed_is_signed_out(desk: AccessDesk, change: str) -> None:
    token, _ = await desk.sign_in("password", "Ann", PASSWORD, FROM)
    getattr(desk.accounts, change)("Ann", "root")
    assert desk.sessions.find(token) is None
    assert records_of(desk)[-1] == ("signed out", "Ann")
    with pytest.raises(WrongSecret):
        await desk.sign_in("password", "Ann", PASSWORD, FROM)


@pytest.mark.parametrize("name", ["Dee", "DEE", "Ｄｅｅ", " dee "])
async def test_a_person_is_signed_in_in_any_spelling_of_the_name(desk: AccessDesk, name: str) -> None:
    assert not desk.sessions.has(name)
    await desk.sign_in("pin", "Dee", PIN, FROM)
    assert desk.sessions.has(name)


async def test_whoever_walks_away_is_signed_out(desk: AccessDesk, clock: Clock) -> None:
    await desk.sign_in("pin", "Dee", PIN, FROM)
    clock.now += LIMITS["dealer"].idle + 1
    desk.expire_and_sum_up()
    assert records_of(desk)[-1] == ("expired", "Dee")
    assert not desk.sessions.has("Dee")


async def test_a_file_that_cannot_be_written_signs_nobody_out(
    tmp_path: Path, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("controller.access.desk.DAEMON_PATIENCE", 0.0)
    with open_desk(tmp_path, clock) as desk, closing(sqlite3.connect(tmp_path / "access.db")) as other:
        hire_staff(desk)
        token, _ = await desk.sign_in("password", "Ann", PASSWORD, FROM)
        other.execute("BEGIN IMMEDIATE")
        clock.now += TOUCH_INTERVAL
        assert desk.sessions.find(token)
        with pytest.raises(AccountsUnusable, match=r"access\.db cannot be used: database is locked"):
            await desk.sign_in("pin", "Dee", PIN, FROM)
        clock.now += LIMITS["supervisor"].idle
        assert desk.sessions.find(token) is None
        other.rollback()
        desk.expire_and_sum_up()
        assert records_of(desk)[-1] == ("expired", "Ann")


async def test_a_restart_forgets_no_lock_and_no_session(
    desk: AccessDesk, tmp_path: Path, clock: Clock
) -> None:
    token, _ = await desk.sign_in("password", "Ann", PASSWORD, FROM)
    await fail_sign_in(desk, "Dee", times=FREE_FAILURES)
    with open_desk(tmp_path, clock) as again:
        assert again.sessions.find(token)
        with pytest.raises(LockedOut):
            await again.sign_in("pin", "Dee", PIN, FROM)
