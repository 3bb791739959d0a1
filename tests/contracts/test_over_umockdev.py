"""The contracts of transports and devices over libusb, pyusb and udev as they are, on a bus of umockdev's.

What umockdev pretends, it pretends to whole processes that start under its wrapper: so do these tests.
"""

import os
import re
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from drivers.sim.usb import umockdev

FOLDER = Path(__file__).parent
CONTRACTS = {
    "test_transport.py": 16,
    "test_devices.py": 30,
    "test_flapping.py": 2,
    "test_unplugging.py": 4,
    "umockdev_plugs.py": 10,
}
"""And the least number of tests that pass in each."""


PYTEST = ["-m", "pytest", "-q", "-p", "no:cacheprovider", "-k", "umockdev"]


@pytest.mark.parametrize("contract", CONTRACTS)
def test_contract(contract: str) -> None:
    with TemporaryDirectory(prefix="usb-") as folder:  # a short name: umockdev's sockets are in it
        ended = subprocess.run(
            [umockdev.WRAPPER, sys.executable, *PYTEST, f"--basetemp={folder}/tests", FOLDER / contract],
            env={**os.environ, "TMPDIR": folder}, capture_output=True, text=True, check=False, timeout=100,
        )  # fmt: skip
    assert ended.returncode == 0, ended.stdout + ended.stderr
    passed = re.search(r"(\d+) passed", ended.stdout)
    assert passed
    assert int(passed[1]) >= CONTRACTS[contract]
