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
from tests.fixtures.waiting import PATIENCE

FOLDER = Path(__file__).parent
CONTRACTS = {
    "test_transport.py": 16,
    "test_devices.py": 30,
    "test_flapping.py": 2,
    "test_unplugging.py": 4,
    "umockdev_plugs.py": 10,
}
"""And the least number of tests that pass in each."""

PYTEST = ["-m", "pytest", "-v", "-p", "no:cacheprovider", "--color=no", "-k", "umockdev"]
LIMIT = 5 * PATIENCE


@pytest.fixture(scope="module")
def told() -> str:
    """What one process says that goes through all of them."""
    with TemporaryDirectory(prefix="usb-") as folder:  # a short name: umockdev's sockets are in it
        files = [FOLDER / contract for contract in CONTRACTS]
        return subprocess.run(
            [umockdev.WRAPPER, sys.executable, *PYTEST, f"--basetemp={folder}/tests", *files],
            env={**os.environ, "TMPDIR": folder}, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
            check=False, timeout=LIMIT,
        ).stdout  # fmt: skip


@pytest.mark.parametrize("contract", CONTRACTS)
def test_each_contract_passes_over_umockdev(contract: str, told: str) -> None:
    verdicts = re.findall(rf"/{contract}::.* ([A-Z]+) +\[ *\d+%\]$", told, re.MULTILINE)
    assert set(verdicts) == {"PASSED"}, told
    assert len(verdicts) >= CONTRACTS[contract]


def test_the_contract_run_over_umockdev_succeeds(told: str) -> None:
    """With what is looked at after each."""
    assert re.search(r"^=+ \d+ passed, \d+ deselected in ", told, re.MULTILINE), told
