"""Restarts a Python program with `disk.c` loaded and a disk of its own."""

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Final

from drivers.sim.run import die_with_parent
from tests.system.preload.disk import Disk, build, loaded

MEMORY: Final = Path("/dev", "shm")
"""What a killed process wrote is safe in the kernel, whatever the disk: a fast one will do."""


def quick() -> str | None:
    """A folder on a fast disk for temporary files; None: where they always are."""
    return str(MEMORY) if MEMORY.is_dir() else None


def with_disk(module: str, main: Callable[[Disk], bool]) -> bool:
    """The result of `main` in a process of this module with a controllable disk; only its children are
    affected."""
    disk = loaded()
    if disk is not None:
        die_with_parent()
        with disk:
            disk.spare(os.getpid())
            return main(disk)
    with tempfile.TemporaryDirectory(prefix="tableside-disk-") as place:
        with Disk(Path(place) / "words") as fresh:
            environment = {**os.environ, **fresh.environment(build(Path(place))), "PYTHONHASHSEED": "0"}
        command = [sys.executable, "-m", module, *sys.argv[1:]]
        return subprocess.run(command, env=environment, check=False).returncode == 0
