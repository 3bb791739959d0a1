"""What the C library is told about memory: a table's process keeps nothing that it needed for a moment."""

import ctypes

ARENAS, LARGE = -8, -3
"""Names of mallopt's parameters: M_ARENA_MAX, M_MMAP_THRESHOLD."""
WISHES = {ARENAS: 1, LARGE: 1 << 20}
"""One arena, for threads are few and short; what is as large as a password's check goes back to the system at
once. Left alone, the library keeps 9 MB for good in each thread that ever checked one."""


def frugal() -> None:
    """Where the C library has no such wishes, nothing is different."""
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    if mallopt:
        for parameter, value in WISHES.items():
            mallopt(parameter, value)
