"""The guards of conftest catch what they are for."""

import socket
from pathlib import Path

import pytest

from tests.conftest import ForbiddenError


@pytest.mark.parametrize("port", ["/dev/ttyUSB0", "/dev/ttyACM3", "/dev/bus/usb/001/002"])
def test_real_port_is_refused(port: str) -> None:
    with pytest.raises(ForbiddenError, match="real port"):
        Path(port).read_bytes()


def test_foreign_address_is_refused() -> None:
    with socket.socket() as outside, pytest.raises(ForbiddenError, match=r"192\.0\.2\.1"):
        outside.connect(("192.0.2.1", 9))
