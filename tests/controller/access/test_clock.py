"""A clock that is set back makes no session and no lock last longer."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from controller.access.desk import AccessDesk
from controller.access.errors import LockedOut
from controller.access.lockout import FIRST_LOCK, FREE_FAILURES
from controller.access.sessions import LIMITS
from tests.fixtures.access_desk import FROM, PASSWORD, PIN, Clock, fail_sign_in, hire_staff, open_desk

IDLE = LIMITS["supervisor"].idle
DAY = 86_400.0


@dataclass
class TwoClocks:
    """Unix time, which people set, and the monotonic clock."""

    wall: Clock = field(default_factory=Clock)
    steady: Clock = field(default_factory=lambda: Clock(50.0))

    def wait(self, seconds: float) -> None:
        self.wall.now += seconds
        self.steady.now += seconds

    def set_back(self, seconds: float) -> None:
        self.wall.now -= seconds


@contextmanager
def opened(folder: Path, clocks: TwoClocks) -> Iterator[AccessDesk]:
    with open_desk(folder, clocks.wall, clocks.steady) as desk:
        yield desk


@pytest.fixture
def clocks() -> TwoClocks:
    return TwoClocks()


@pytest.fixture
def desk(tmp_path: Path, clocks: TwoClocks) -> Iterator[AccessDesk]:
    with opened(tmp_path, clocks) as desk:
        hire_staff(desk)
        yield desk


@pytest.mark.parametrize("seconds", [200.0, DAY])
async def test_a_setback_prolongs_no_lock(desk: AccessDesk, clocks: TwoClocks, seconds: float) -> None:
    await fail_sign_in(desk, "Dee", times=FREE_FAILURES)
    clocks.set_back(seconds)
    with pytest.raises(LockedOut) as locked:
        await desk.sign_in("pin", "Dee", PIN, FROM)
    assert locked.value.seconds == FIRST_LOCK
    clocks.wait(FIRST_LOCK)
    await desk.sign_in("pin", "Dee", PIN, FROM)


async def test_a_setback_while_the_daemon_is_down_prolongs_no_lock(tmp_path: Path, clocks: TwoClocks) -> None:
    with opened(tmp_path, clocks) as desk:
        hire_staff(desk)
        await fail_sign_in(desk, "Dee", times=FREE_FAILURES)
    clocks.set_back(DAY)
    with opened(tmp_path, clocks) as desk:
        with pytest.raises(LockedOut) as locked:
            await desk.sign_in("pin", "Dee", PIN, FROM)
        assert locked.value.seconds == FIRST_LOCK
        clocks.wait(FIRST_LOCK)
        await desk.sign_in("pin", "Dee", PIN, FROM)


@pytest.mark.parametrize("seconds", [IDLE / 2, DAY])
async def test_a_setback_neither_prolongs_nor_ends_a_session(
    desk: AccessDesk, clocks: TwoClocks, seconds: float
) -> None:
    token, _ = await desk.sign_in("password", "Ann", PASSWORD, FROM)
    clocks.wait(IDLE - 10)
    clocks.set_back(seconds)
    assert desk.sessions.find(token, active=False)
    clocks.wait(11)
    assert desk.sessions.find(token) is None


async def test_many_setbacks_make_no_shift_longer(desk: AccessDesk, clocks: TwoClocks) -> None:
    token, _ = await desk.sign_in("password", "Ann", PASSWORD, FROM)
    passed = 0.0
    while passed < LIMITS["supervisor"].longest:
        assert desk.sessions.find(token)
        clocks.wait(IDLE)
        clocks.set_back(IDLE - 1)
        passed += IDLE
    clocks.wait(1)
    assert desk.sessions.find(token) is None


async def test_a_setback_while_the_daemon_is_down_prolongs_no_session(
    tmp_path: Path, clocks: TwoClocks
) -> None:
    with opened(tmp_path, clocks) as desk:
        hire_staff(desk)
        token, _ = await desk.sign_in("password", "Ann", PASSWORD, FROM)
    clocks.set_back(DAY)
    with opened(tmp_path, clocks) as desk:
        assert desk.sessions.find(token, active=False)
        clocks.wait(IDLE + 1)
        assert desk.sessions.find(token) is None


async def test_a_setback_that_cannot_be_written_prolongs_no_session(
    tmp_path: Path, clocks: TwoClocks, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("controller.access.desk.DAEMON_PATIENCE", 0.0)
    with opened(tmp_path, clocks) as desk, closing(sqlite3.connect(tmp_path / "access.db")) as other:
        hire_staff(desk)
        token, _ = await desk.sign_in("password", "Ann", PASSWORD, FROM)
        other.execute("BEGIN IMMEDIATE")
        clocks.set_back(DAY)
        assert desk.sessions.find(token, active=False)
        other.rollback()
        clocks.wait(IDLE - 1)
        assert desk.sessions.find(token, active=False)
        clocks.wait(2)
        assert desk.sessions.find(token) is None
