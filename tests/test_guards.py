"""The guards of conftest catch what they are for."""

import socket
import threading
from pathlib import Path

import pytest

from tests import conftest
from tests.conftest import ForbiddenError, descriptors, leaked_since


@pytest.mark.parametrize("port", ["/dev/ttyUSB0", "/dev/ttyACM3", "/dev/bus/usb/001/002"])
def test_real_port_is_refused(port: str) -> None:
    with pytest.raises(ForbiddenError, match="real port"):
        Path(port).read_bytes()


def test_foreign_address_is_refused() -> None:
    with socket.socket() as outside, pytest.raises(ForbiddenError, match=r"192\.0\.2\.1"):
        outside.connect(("192.0.2.1", 9))


def test_what_stays_open_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(conftest, "CLOSING", 0.02)
    before = descriptors()
    with socket.socket() as left:
        assert list(leaked_since(before)) == [str(left.fileno())]
    assert not leaked_since(before)


def test_what_a_thread_still_closes_is_no_leak() -> None:
    before = descriptors()
    late = socket.socket()
    closing = threading.Timer(0.05, late.close)
    closing.start()
    assert not leaked_since(before)
    closing.join()


async def test_tasks_are_looked_after_where_there_is_a_loop(request: pytest.FixtureRequest) -> None:
    assert "no_leftover_tasks" in request.fixturenames


def test_and_nowhere_else(request: pytest.FixtureRequest) -> None:
    assert "no_leftover_tasks" not in request.fixturenames
