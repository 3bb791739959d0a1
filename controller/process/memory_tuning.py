"""Settings that limit the memory of a table's process, which runs for months."""

import ctypes
import gc
import sys
from collections.abc import Iterator
from contextlib import contextmanager

M_ARENA_MAX = -8
M_MMAP_THRESHOLD = -3
"""The numbers of two parameters of mallopt, from malloc.h."""
MALLOC_OPTIONS = {M_ARENA_MAX: 1, M_MMAP_THRESHOLD: 1 << 20}
"""One arena suffices, because the process has few threads, which do not live long. Blocks of 1 MB or more,
such as those of a password check, go back to the system when they are freed. With the library's defaults,
9 MB stay allocated in each thread that has checked a password."""
RICH = "rich"
"""The package that structlog imports, if it is installed, to format logs on a console. It takes 3 MB."""


def limit_memory() -> None:
    """Make the C library return freed memory to the system. Does nothing if the library has no mallopt."""
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    if mallopt:
        for parameter, value in MALLOC_OPTIONS.items():
            mallopt(parameter, value)


@contextmanager
def loading() -> Iterator[None]:
    """Import without garbage collections, which find nothing among modules and take a seventh of the time.
    What was loaded stays, so later collections do not look at it either."""
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()


def import_structlog_without_rich() -> None:
    """Import structlog without `rich`. Call it before any other import of structlog. A later import of `rich`
    works as usual."""
    if RICH in sys.modules:
        return
    sys.modules[RICH] = None  # type: ignore[assignment]  # None makes an import raise ImportError
    try:
        import structlog  # noqa: F401
    finally:
        del sys.modules[RICH]
