"""Output to standard output, or to a file that appears under its name when it is complete."""

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

Write = Callable[[bytes], object]


@contextmanager
def output(path: Path | None) -> Iterator[Write]:
    """Yields the function that writes bytes to the file, or to standard output if `path` is None.

    The file has mode 0600. It appears under its name, and replaces an older file, when all of it is on disk.
    Raises OSError if it cannot be written.
    """
    if path is None:
        yield sys.stdout.buffer.write
        sys.stdout.buffer.flush()
        return
    fresh = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with _create(fresh) as file:
            yield file.write
            file.flush()
            os.fsync(file.fileno())
        fresh.replace(path)
    finally:
        fresh.unlink(missing_ok=True)
    _sync(path.parent)


def _create(path: Path) -> IO[bytes]:
    return os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600), "wb")


def _sync(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
