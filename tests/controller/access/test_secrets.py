"""Passwords, PINs and badges: people change their own, and they are stored unreadable."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from argon2 import PasswordHasher

from controller.access.desk import AccessDesk
from controller.access.errors import AccessError, AccountsUnusable, WrongSecret
from controller.access.people import Role
from controller.access.sessions import SessionLimits
from tests.fixtures.access_desk import (
    BADGE,
    DEALER_FROM,
    FROM,
    PASSWORD,
    PIN,
    Clock,
    bytes_on_disk,
    fail_sign_in,
    hire_staff,
    open_desk,
    records_of,
)


async def test_a_supervisor_chooses_a_new_password(desk: AccessDesk) -> None:
    token, session = await desk.sign_in("password", "Ann", PASSWORD, FROM)
    with pytest.raises(WrongSecret, match="the old password is not right"):
        await desk.new_secret(session.person, "another", "seven of diamonds!", FROM)
    with pytest.raises(AccessError, match="the new password is the old one"):
        await desk.new_secret(session.person, PASSWORD, PASSWORD, FROM)
    with pytest.raises(AccessError, match="without the name"):
        await desk.new_secret(session.person, PASSWORD, "ann likes diamonds", FROM)
    await desk.new_secret(session.person, PASSWORD, "seven of diamonds!", FROM)
    assert desk.sessions.find(token) is None
    await desk.sign_in("password", "Ann", "seven of diamonds!", FROM)


async def test_a_dealer_chooses_a_new_pin(desk: AccessDesk) -> None:
    _, session = await desk.sign_in("pin", "Dee", PIN, FROM)
    await desk.new_secret(session.person, PIN, "9173", FROM)
    await desk.sign_in("pin", "Dee", "9173", FROM)


async def test_a_secret_goes_stale_after_the_configured_time(tmp_path: Path, clock: Clock) -> None:
    limits: dict[Role, SessionLimits] = {
        "supervisor": SessionLimits(900, 1800, renew=86_400),
        "dealer": SessionLimits(900, 1800),
    }
    with AccessDesk(tmp_path / "access.db", clock, clock, limits, dealer_from=DEALER_FROM) as desk:
        hire_staff(desk)
        clock.now += 86_401
        _, session = await desk.sign_in("password", "Ann", PASSWORD, FROM)
        assert session.person.stale
        await desk.new_secret(session.person, PASSWORD, "seven of diamonds!", FROM)
        _, session = await desk.sign_in("password", "Ann", "seven of diamonds!", FROM)
        assert not session.person.stale
        _, session = await desk.sign_in("pin", "Dee", PIN, FROM)
        assert not session.person.stale


async def test_a_secret_of_an_older_measure_is_kept_by_todays(desk: AccessDesk, tmp_path: Path) -> None:
    older = PasswordHasher(time_cost=1, memory_cost=64, parallelism=1).hash(PASSWORD)
    desk.accounts.rehash("Ann", "password", older)
    await desk.sign_in("password", "Ann", PASSWORD, FROM)
    with closing(sqlite3.connect(tmp_path / "access.db")) as file:
        ((kept,),) = file.execute("SELECT password FROM account WHERE name = 'Ann'")
    assert kept.startswith("$argon2id$v=19$m=9216,t=4,p=1$")
    await desk.sign_in("password", "Ann", PASSWORD, FROM)


async def test_nothing_that_is_kept_or_told_holds_a_secret(desk: AccessDesk, tmp_path: Path) -> None:
    token, session = await desk.sign_in("password", "Ann", PASSWORD, FROM)
    await fail_sign_in(desk, "Dee", times=2)
    kept = bytes_on_disk(tmp_path)
    for secret in (PASSWORD, BADGE, token):
        assert secret.encode() not in kept
    record = " ".join(str(item) for _, item in desk.pending_records())
    assert not any(secret in record for secret in (PASSWORD, PIN, BADGE, token, session.csrf))


async def test_what_a_stranger_types_is_not_kept(desk: AccessDesk, tmp_path: Path) -> None:
    with pytest.raises(WrongSecret):
        await desk.sign_in("password", PASSWORD, PASSWORD, FROM)
    assert PASSWORD.encode() not in bytes_on_disk(tmp_path)
    assert records_of(desk) == [("refused", "")]


def test_a_file_that_others_can_read_is_refused(tmp_path: Path, clock: Clock) -> None:
    with open_desk(tmp_path, clock):
        pass
    (tmp_path / "access.db").chmod(0o640)
    with (
        pytest.raises(AccountsUnusable, match="its mode is 0640, others can read it; chmod 600"),
        open_desk(tmp_path, clock),
    ):
        pass
