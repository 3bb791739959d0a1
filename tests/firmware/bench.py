"""The bench of the C implementation on the emulated board."""

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

from tests.conformance.firmware import Program, made, pipes
from tests.firmware.board import BOARD, DIES_WITH_US, EMULATOR, FOLDER
from tests.fixtures.waiting import PATIENCE


@cache
def images() -> Path:
    """The folder with the firmware, built when anything changed, by one process at a time."""
    made("firmware")
    return FOLDER


@contextmanager
def running_on_target() -> Iterator[Program]:
    """A bench of its own, which speaks through the emulator's standard input and output."""
    command = [EMULATOR, *BOARD, "-kernel", str(images() / "tsl-bench.bin"), "-serial", "none"]
    debugger = ["-semihosting-config", "enable=on,target=native"]
    with subprocess.Popen(
        [*DIES_WITH_US, str(os.getpid()), *command, *debugger], stdin=-1, stdout=-1, text=True, bufsize=1
    ) as process:
        try:
            yield Program(process)
        finally:
            stdin, _ = pipes(process)
            stdin.close()
            process.kill()
            process.wait(PATIENCE)
