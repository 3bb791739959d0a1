"""A session is one person's, and ends."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from controller.access.desk import AccessDesk
from controller.access.errors import LockedOut, Unknown, Unusable
from controller.access.lockout import FREE
from controller.access.sessions import LIMITS, TOUCH
from tests.fixtures.access_desk import FROM, PASSWORD, PIN, Clock, failed, opened, said, staff


async def test_one_session_a_person(desk: AccessDesk) -> None:
    older, _ = await desk.sign_in("password", "Ann", PASSWORD, FROM)
    newer, _ = await desk.sign_in("password", "Ann", PASSWORD, "10.0.0.9")
    assert (desk.sessions.of(older), bool(desk.sessions.of(newer))) == (None, True)
    assert said(desk) == [("signed in", "Ann"), ("replaced", "Ann"), ("signed in", "Ann")]


@pytest.mark.parametrize(("kind", "name", "secret", "role"), [
    ("password", "Ann", PASSWORD, "supervisor"), ("pin", "Dee", PIN, "dealer"),
])  # fmt: skip
async def test_a_session_ends_by_itself(
    desk: AccessDesk, clock: Clock, kind: str, name: str, secret: str, role: str
) -> None:
    limits = LIMITS["supervisor" if role == "supervisor" else "dealer"]
    token, _ = await desk.sign_in("pin" if kind == "pin" else "password", name, secret, FROM)
    begun = clock.now
    while clock.now < begun + limits.longest - limits.idle:
        clock.now += limits.idle
        assert desk.sessions.of(token)
    clock.now = begun + limits.longest + 1
    assert desk.sessions.of(token) is None
    token, _ = await desk.sign_in("pin" if kind == "pin" else "password", name, secret, FROM)
    clock.now += limits.idle - 1
    assert desk.sessions.of(token, heard=False)
    clock.now += 2
    assert desk.sessions.of(token) is None
    assert said(desk)[-1] == ("expired", name)


async def test_a_clock_that_is_set_back_gives_nobody_more_time(desk: AccessDesk, clock: Clock) -> None:
    token, _ = await desk.sign_in("password", "Ann", PASSWORD, FROM)
    clock.now -= LIMITS["supervisor"].idle + 1
    assert desk.sessions.of(token) is None


async def test_signing_out(desk: AccessDesk) -> None:
    token, session = await desk.sign_in("password", "Ann", PASSWORD, FROM)
    assert desk.sessions.end(token, FROM) == session.person
    assert desk.sessions.of(token) is None
    assert desk.sessions.end(token, FROM) is None
    assert said(desk) == [("signed in", "Ann"), ("signed out", "Ann")]


@pytest.mark.parametrize("change", ["lock", "remove"])
async def test_whoever_is_locked_or_removed_is_signed_out(desk: AccessDesk, change: str) -> None:
    token, _ = await desk.sign_in("password", "Ann", PASSWORD, FROM)
    getattr(desk.accounts, change)("Ann", "root")
    assert desk.sessions.of(token) is None
    assert said(desk)[-1] == ("signed out", "Ann")
    with pytest.raises(Unknown):
        await desk.sign_in("password", "Ann", PASSWORD, FROM)


async def test_whoever_walks_away_is_signed_out(desk: AccessDesk, clock: Clock) -> None:
    await desk.sign_in("pin", "Dee", PIN, FROM)
    clock.now += LIMITS["dealer"].idle + 1
    desk.look()
    assert said(desk)[-1] == ("expired", "Dee")
    assert not desk.sessions.has("Dee")


async def test_a_file_that_cannot_be_written_signs_nobody_out(
    tmp_path: Path, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("controller.access.desk.BRIEF", 0.0)
    with opened(tmp_path, clock) as desk, closing(sqlite3.connect(tmp_path / "access.db")) as other:
        staff(desk)
        token, _ = await desk.sign_in("password", "Ann", PASSWORD, FROM)
        other.execute("BEGIN IMMEDIATE")
        clock.now += TOUCH
        assert desk.sessions.of(token)
        with pytest.raises(Unusable, match=r"access\.db cannot be used: database is locked"):
            await desk.sign_in("pin", "Dee", PIN, FROM)
        clock.now += LIMITS["supervisor"].idle
        assert desk.sessions.of(token) is None
        other.rollback()
        desk.look()
        assert said(desk)[-1] == ("expired", "Ann")


async def test_a_restart_forgets_no_lock_and_no_session(
    desk: AccessDesk, tmp_path: Path, clock: Clock
) -> None:
    token, _ = await desk.sign_in("password", "Ann", PASSWORD, FROM)
    await failed(desk, "Dee", times=FREE)
    with opened(tmp_path, clock) as again:
        assert again.sessions.of(token)
        with pytest.raises(LockedOut):
            await again.sign_in("pin", "Dee", PIN, FROM)
