"""Settings that keep the process of a table small, since it runs for months."""

import ctypes
import sys

M_ARENA_MAX = -8
M_MMAP_THRESHOLD = -3
"""Names of mallopt's parameters: M_ARENA_MAX, M_MMAP_THRESHOLD."""
MALLOC_OPTIONS = {M_ARENA_MAX: 1, M_MMAP_THRESHOLD: 1 << 20}
"""One arena, for threads are few and short; what is as large as a password's check goes back to the system at
once. Left alone, the library keeps 9 MB for good in each thread that ever checked one."""
RICH = "rich"
"""What structlog loads, where it is there, to draw logs on a console: 3 MB."""


def limit_memory() -> None:
    """Let the C library return freed memory to the system. Does nothing where the library has no mallopt."""
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    if mallopt:
        for parameter, value in MALLOC_OPTIONS.items():
            mallopt(parameter, value)


def import_structlog_without_rich() -> None:
    """Loads structlog, before anybody else does, as if there were no console for logs; who needs one himself
    finds it afterwards."""
    if RICH in sys.modules:
        return
    sys.modules[RICH] = None  # type: ignore[assignment]  # Python's own way to say: not there
    try:
        import structlog  # noqa: F401
    finally:
        del sys.modules[RICH]
