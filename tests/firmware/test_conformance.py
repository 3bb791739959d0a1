"""`tableside device conformance` on emulated boards, clear and sealed: some checks of each part here, all of
them in `make firmware-test`."""

import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

from tests.drivers.conformance.rig import KEY, MAKER
from tests.drivers.conformance.soak import Device, running
from tests.firmware.bench import images
from tests.firmware.stage import ON_BOARDS

CHECKS: Final = {
    "shoe": ("handshake.session", "frames.split", "events.reboot", "shoe.interrupted"),
    "shuffler": ("handshake.session", "frames.merged", "commands.results-reboot", "commands.arm"),
}
TRIES: Final = 5
"""Every answer has a time limit here, and a busy machine may delay either end."""


def board(kind: str, *, sealed: bool) -> Device:
    """An updatable device on a board."""
    images()
    program = (sys.executable, "-m", "tests.firmware.board", "--class", kind)
    return Device(f"board-{kind}-{'sealed' if sealed else 'clear'}", program, kind, sealed, updates=True)


def keys(folder: Path) -> None:
    """The files that devices and the command read."""
    (folder / "key").write_text(KEY.hex() + "\n")
    (folder / "key").chmod(0o600)
    (folder / "maker").write_text(MAKER.hex() + "\n")


@pytest.mark.parametrize("sealed", [False, True], ids=["clear", "sealed"])
@pytest.mark.parametrize("kind", ON_BOARDS)
def test_a_board_passes_checks_of_each_part(kind: str, tmp_path: Path, *, sealed: bool) -> None:
    keys(tmp_path)
    only = [word for check in CHECKS[kind] for word in ("--only", check)]
    with running(board(kind, sealed=sealed), tmp_path) as command:
        for _ in range(TRIES):
            run = subprocess.run([*command, *only], capture_output=True, text=True, check=False)
            if run.returncode == 0:
                break
    passed = {line.split()[1] for line in run.stdout.splitlines() if line.startswith("pass ")}
    assert run.stdout.splitlines()[-1].endswith(" passed, 0 failed, 0 not run"), run.stdout
    assert passed >= {*CHECKS[kind]}
