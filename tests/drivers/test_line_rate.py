"""Which ports have a line time."""

import os
import pty
from pathlib import Path

import pytest

from drivers.ports.names import line_rate


@pytest.mark.parametrize("name", ["/dev/ttyUSB0", "/dev/serial/by-path/x", "socket://10.0.0.7:4001"])
def test_a_serial_line_has_its_configured_rate(name: str) -> None:
    assert line_rate(name, 9600) == 9600


def test_a_usb_interface_has_none() -> None:
    assert line_rate("usb://1209:0001/SHOE-1", 9600) == 0


def test_a_pseudo_terminal_has_none_whatever_links_to_it(tmp_path: Path) -> None:
    master, slave = pty.openpty()
    link = tmp_path / "shoe.port"
    link.symlink_to(os.ttyname(slave))
    assert line_rate(str(link), 9600) == 0
    os.close(master)
    os.close(slave)
