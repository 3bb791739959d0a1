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
SSL = "ssl"
"""The module that asyncio imports, if it is there, for TLS."""


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
    with _absent(RICH):
        import structlog  # noqa: F401


def import_asyncio_without_ssl() -> None:
    """Import asyncio without `ssl`, for a process that speaks no TLS. Call it before any other import of
    asyncio. A later import of `ssl` works as usual, but asyncio does not use it."""
    with _absent(SSL):
        import asyncio  # noqa: F401


@contextmanager
def _absent(module: str) -> Iterator[None]:
    """Make imports of a module fail, unless it is already there."""
    if module in sys.modules:
        yield
        return
    sys.modules[module] = None  # type: ignore[assignment]  # None makes an import raise ImportError
    try:
        yield
    finally:
        del sys.modules[module]
