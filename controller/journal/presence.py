"""Checks that the open files are still the files under their names. If a file is deleted, moved or replaced
under a running daemon, every further row is lost with it."""

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Self


@dataclass(frozen=True, slots=True)
class OpenFiles:
    """Device and inode of each open file, by the name under which it was opened."""

    files: Mapping[Path, tuple[int, int]]

    @classmethod
    def of(cls, paths: Iterable[Path]) -> Self:
        """The files at these paths now. Raises OSError."""
        return cls({path: _identity(path.stat()) for path in paths})

    def fault(self, least: Mapping[Path, int]) -> str:
        """What happened to the first file that has changed; empty if none has. `least`: the bytes that a file
        must have."""
        for path, identity in self.files.items():
            try:
                found = path.stat()
            except OSError as error:
                return f"{path} is gone ({error.strerror})"
            if _identity(found) != identity:
                return f"another file lies at {path}"
            if found.st_size < least.get(path, 0):
                return f"{path} was cut from {least[path]} to {found.st_size} bytes"
        return ""


def _identity(found: os.stat_result) -> tuple[int, int]:
    return found.st_dev, found.st_ino
