"""A process that is killed before each of its steps on the disk, one step after the other."""

import os
import sys
from collections.abc import Callable

STEPS = {"open", "os.rename", "os.remove", "os.mkdir", "os.chmod", "sqlite3.connect"}
"""Audit events before each step; fsync and commits lie between them."""


def killed_before(step: int, work: Callable[[], None]) -> bool:
    """Does `work` in a process of its own that is killed before its step with this number, counted from 0.
    Returns whether it got that far."""
    child = os.fork()
    if child == 0:
        _die(step, work)
    _, status = os.waitpid(child, 0)
    code = os.waitstatus_to_exitcode(status)
    assert code in {0, 9}, code
    return code == 9


def _die(step: int, work: Callable[[], None]) -> None:
    left = step

    def count_step(event: str, _arguments: tuple[object, ...]) -> None:
        nonlocal left
        if event in STEPS:
            if left == 0:
                os._exit(9)
            left -= 1

    code = 1
    try:
        sys.addaudithook(count_step)
        work()
        code = 0
    finally:
        os._exit(code)
