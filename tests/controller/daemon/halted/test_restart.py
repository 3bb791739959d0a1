"""A table whose disk failed one write restarts by itself, but not twice in a quarter of an hour."""

import asyncio
import os
import signal
import socket
from pathlib import Path

import pytest

from controller.daemon.halted.cause import cause_in_play
from controller.daemon.halted.core import halted_core
from controller.daemon.halted.serve import PAUSE, WINDOW, RestartPolicy, serve_halted
from controller.journal.errors import JournalDamaged, JournalUnwritten
from controller.process.notify import Notifier
from controller.socket.core import Core
from controller.socket.listening import SocketPlace
from controller.socket.peers import PeerUsers
from controller.socket.results import HaltedView

FAILED = JournalUnwritten("journal /j: row 7 cannot be written: disk I/O error")


def test_one_failed_write_is_followed_by_a_new_start_and_a_second_one_is_not() -> None:
    now = 0.0
    restart = RestartPolicy(lambda: now)
    assert restart.pause_after(FAILED) == PAUSE
    now = WINDOW - 1
    assert restart.pause_after(FAILED) is None


def test_a_failed_write_after_a_quarter_of_an_hour_counts_as_the_first() -> None:
    now = 0.0
    restart = RestartPolicy(lambda: now)
    for _ in range(3):
        assert restart.pause_after(FAILED) == PAUSE
        now += WINDOW


@pytest.mark.parametrize("failed", [JournalDamaged("row 7 does not follow"), KeyError("x"), OSError(5, "x")])
def test_only_a_failed_write_is_followed_by_a_restart(failed: Exception) -> None:
    assert RestartPolicy(lambda: 0.0).pause_after(failed) is None


def halted(again: float | None) -> Core:
    cause = cause_in_play(FAILED)
    return halted_core(
        "Table 7", "easy-jack", HaltedView(cause.title, cause.why, cause.means, cause.steps, 0.0, again)
    )


@pytest.fixture
def systemd(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> socket.socket:
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_NONBLOCK)
    listener.bind(str(tmp_path / "notify"))
    monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "notify"))
    monkeypatch.setenv("WATCHDOG_USEC", "10000000")
    return listener


def stayed(folder: Path, pause: float | None, *, ended: bool = False) -> bool:
    place = SocketPlace(folder / "s", "no-group-of-this-machine", PeerUsers())

    async def main() -> bool:
        notifier = Notifier()
        if ended:
            asyncio.get_running_loop().call_soon(os.kill, os.getpid(), signal.SIGTERM)
        try:
            return await serve_halted(halted(pause), str(FAILED), place, notifier, pause)
        finally:
            notifier.close()

    return asyncio.run(main())


def test_the_pause_ends_with_a_new_start_and_the_watchdog_waits_for_it(
    systemd: socket.socket, tmp_path: Path
) -> None:
    with systemd:
        assert stayed(tmp_path, 0.0)
        said = [systemd.recv(4096) for _ in range(2)]
    assert said[0].endswith(b"cannot be written: disk I/O error\nWATCHDOG_USEC=10000000")
    assert said[1] == b"WATCHDOG=1\nWATCHDOG_USEC=120000000"


def test_a_person_who_ends_the_table_in_the_pause_has_the_last_word(
    systemd: socket.socket, tmp_path: Path
) -> None:
    with systemd:
        assert not stayed(tmp_path, 60.0, ended=True)
        said = [systemd.recv(4096) for _ in range(3)]
    assert said[1:] == [b"WATCHDOG=1", b"STOPPING=1"]
