"""What the contracts of devices have in common."""

from pathlib import Path

import pytest

from drivers.ports import usb_claim
from drivers.sim.usb import umockdev
from tests.contracts.bench import LINES, Line
from tests.drivers.usb_wires import bus


@pytest.fixture(scope="session", autouse=True)
def usb() -> None:
    """Opens what stays open once there is a bus, where there can be one."""
    if umockdev.preloaded():
        bus()
        usb_claim.libusb()


@pytest.fixture(params=LINES)
def line(request: pytest.FixtureRequest, tmp_path: Path) -> Line:
    return LINES[request.param](tmp_path)
