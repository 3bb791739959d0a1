"""Notifications to systemd: what is sent, and that only finished work feeds the watchdog."""

import os
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from controller.process.notify import Notifier, Watchdog


@pytest.fixture
def systemd(tmp_path: Path) -> Iterator[socket.socket]:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_NONBLOCK) as listener:
        listener.bind(str(tmp_path / "notify"))
        yield listener


def said(systemd: socket.socket) -> list[bytes]:
    found = []
    while True:
        try:
            found.append(systemd.recv(4096))
        except BlockingIOError:
            return found


def notifier(systemd: socket.socket, **more: str) -> Notifier:
    return Notifier({"NOTIFY_SOCKET": systemd.getsockname(), **more})


def test_systemd_hears_ready_and_stopping(systemd: socket.socket) -> None:
    daemon = notifier(systemd)
    daemon.ready("Page at http://127.0.0.1/")
    daemon.stopping()
    daemon.close()
    assert said(systemd) == [b"READY=1\nSTATUS=Page at http://127.0.0.1/", b"STOPPING=1"]


def test_an_abstract_socket_address_is_used() -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_NONBLOCK) as listener:
        listener.bind(f"\0tableside-{os.getpid()}")
        daemon = Notifier({"NOTIFY_SOCKET": f"@tableside-{os.getpid()}"})
        daemon.stopping()
        daemon.close()
        assert said(listener) == [b"STOPPING=1"]


def test_a_missing_service_manager_is_no_error() -> None:
    for environment in ({}, {"NOTIFY_SOCKET": "/nowhere/at/all"}):
        daemon = Notifier(environment)
        daemon.ready("x")
        daemon.close()


def test_watchdog_is_fed_by_turns_four_times_in_its_limit(systemd: socket.socket) -> None:
    now = 0.0
    daemon = notifier(systemd, WATCHDOG_USEC="2000000")
    watchdog = Watchdog(daemon, lambda: now)
    assert said(systemd) == []
    for step in range(21):
        now = step / 10
        watchdog.feed_when_due()
    daemon.close()
    assert said(systemd) == [b"WATCHDOG=1"] * 5


@pytest.mark.parametrize("more", [{}, {"WATCHDOG_USEC": "2000000", "WATCHDOG_PID": "1"}])
def test_a_watchdog_of_another_process_is_not_fed(systemd: socket.socket, more: dict[str, str]) -> None:
    daemon = notifier(systemd, **more)
    Watchdog(daemon, lambda: 0.0).feed_when_due()
    daemon.close()
    assert said(systemd) == []
