"""Keeps the memory of a process, which holds secrets, to itself."""

import ctypes
from resource import RLIMIT_CORE, setrlimit
from typing import Final

PR_SET_DUMPABLE: Final = 4
"""The option of prctl(2), from linux/prctl.h."""


def forbid_memory_dumps() -> None:
    """From now on the kernel writes no core dump of this process, and lets no other process of the same user
    read its memory, its environment or its descriptors. Root still can. A program that the process starts
    must forbid it too.

    The limit alone is not enough: the kernel ignores it if it passes core dumps to a program, see core(5).
    """
    setrlimit(RLIMIT_CORE, (0, 0))
    prctl = getattr(ctypes.CDLL(None, use_errno=True), "prctl", None)
    if prctl is not None and prctl(PR_SET_DUMPABLE, *[ctypes.c_ulong(0)] * 4):
        error = ctypes.get_errno()
        raise OSError(error, "the kernel cannot be kept from writing core dumps")
