"""The contracts of transports and devices over the real libusb, pyusb and udev, on a bus that umockdev
simulates.

umockdev simulates the bus for whole processes that start under its wrapper, so these tests start one.
"""

import os
import re
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from drivers.sim.usb import umockdev
from tests.fixtures.waiting import PATIENCE

FOLDER = Path(__file__).parent
CONTRACTS = {
    "test_transport.py": 16,
    "test_devices.py": 30,
    "test_flapping.py": 2,
    "test_unplugging.py": 4,
    "umockdev_plugs.py": 10,
}
"""Each contract, and the least number of its tests that pass."""

PYTEST = ["-m", "pytest", "-v", "-p", "no:cacheprovider", "--color=no", "-k", "umockdev"]
LIMIT = 5 * PATIENCE


@pytest.fixture(scope="module")
def output() -> str:
    """The output of one process that runs all of them."""
    with TemporaryDirectory(prefix="usb-") as folder:  # a short name: umockdev's sockets are in it
        files = [FOLDER / contract for contract in CONTRACTS]
        return subprocess.run(
            [umockdev.WRAPPER, sys.executable, *PYTEST, f"--basetemp={folder}/tests", *files],
            env={**os.environ, "TMPDIR": folder},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
            timeout=LIMIT,
        ).stdout


@pytest.mark.parametrize("contract", CONTRACTS)
def test_each_contract_passes_over_umockdev(contract: str, output: str) -> None:
    verdicts = re.findall(rf"/{contract}::.* ([A-Z]+) +\[ *\d+%\]$", output, re.MULTILINE)
    assert set(verdicts) == {"PASSED"}, output
    assert len(verdicts) >= CONTRACTS[contract]


def test_the_contract_run_over_umockdev_succeeds(output: str) -> None:
    """Includes the checks after each test."""
    assert re.search(r"^=+ \d+ passed, \d+ deselected in ", output, re.MULTILINE), output
