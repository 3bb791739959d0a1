"""Plug events where udev fails. What works is in tests/contracts/umockdev_plugs.py."""

import errno
import os
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from drivers.ports import hotplug
from drivers.ports.hotplug import MISSED, Plug, watch_plugs
from tests.fixtures.wires import until


class Ears:
    """A monitor whose socket fails on request."""

    def __init__(self, *errors: int) -> None:
        self.errors = list(errors)
        self.near, self.far = socket.socketpair()
        self.far.send(b"news")

    def fileno(self) -> int:
        return self.near.fileno()

    def poll(self, timeout: int) -> None:
        assert timeout == 0
        if self.errors:
            number = self.errors.pop(0)
            raise OSError(number, os.strerror(number))
        self.near.recv(16)


@pytest.fixture
def ears(monkeypatch: pytest.MonkeyPatch) -> Iterator[Ears]:
    ears = Ears()
    monkeypatch.setattr(hotplug, "_monitor", lambda: ears)
    yield ears
    ears.near.close()
    ears.far.close()


async def test_news_that_ran_over_are_a_plug_of_somebody(ears: Ears, tmp_path: Path) -> None:
    ears.errors = [errno.ENOBUFS]
    plug_list: list[Plug] = []
    with watch_plugs(plug_list.append, pytest.fail, control=tmp_path):
        await until(lambda: bool(plug_list))
    assert plug_list == [MISSED]
    assert MISSED.action == "plugged"


async def test_a_monitor_that_fails_is_given_up_and_said(ears: Ears, tmp_path: Path) -> None:
    ears.errors = [errno.EBADMSG] * 3
    said: list[str] = []
    with watch_plugs(lambda _plug: None, said.append, control=tmp_path):
        await until(lambda: bool(said))
    assert said == [
        "no more news of plugs, ports are tried again each second: "
        f"[Errno {errno.EBADMSG}] {os.strerror(errno.EBADMSG)}"
    ]
    assert len(ears.errors) == 2


@pytest.mark.parametrize("error", [ImportError("no libudev"), OSError(errno.EPERM, "denied")])
async def test_ports_are_tried_without_libudev(monkeypatch: pytest.MonkeyPatch, error: Exception) -> None:
    def fail() -> None:
        raise error

    monkeypatch.setattr(hotplug, "_monitor", fail)
    said: list[str] = []
    with watch_plugs(lambda _plug: None, said.append):
        assert said == [f"no news of plugs, ports are tried again each second: no udev ({error})"]
