"""What keeps a table's process small: it plays for months beside nothing else."""

import ctypes
import sys

M_ARENA_MAX, M_MMAP_THRESHOLD = -8, -3
"""Names of mallopt's parameters: M_ARENA_MAX, M_MMAP_THRESHOLD."""
MALLOC_OPTIONS = {M_ARENA_MAX: 1, M_MMAP_THRESHOLD: 1 << 20}
"""One arena, for threads are few and short; what is as large as a password's check goes back to the system at
once. Left alone, the library keeps 9 MB for good in each thread that ever checked one."""
RICH = "rich"
"""What structlog loads, where it is there, to draw logs on a console: 3 MB."""


def limit_memory() -> None:
    """The C library is told to keep nothing that was needed for a moment; where it has no such wishes,
    nothing is different."""
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
