"""What a process remembers of the closed files of a journal that it has read.

A closed file never changes, so what was read from it cannot be out of date; its inode, size and time of
change are compared all the same. The live file is not remembered. Nothing is stored: the memory ends with its
process, and is filled again when it is needed.
"""

from collections import OrderedDict
from typing import Generic, TypeVar

from controller.journal.history import HistoryFile

Contents = TypeVar("Contents")


class ClosedFileMemory(Generic[Contents]):
    """Remembers the closed files that were used last, at most `most` of them."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._contents = OrderedDict[tuple[object, ...], Contents]()

    def find(self, file: HistoryFile) -> Contents | None:
        """None if this file was not read, or not lately. Raises OSError."""
        key = _key(file)
        if key in self._contents:
            self._contents.move_to_end(key)
        return self._contents.get(key)

    def add(self, file: HistoryFile, contents: Contents) -> None:
        """Raises OSError."""
        if file.closed:
            self._contents[_key(file)] = contents
        while len(self._contents) > self._most:
            self._contents.popitem(last=False)


def _key(file: HistoryFile) -> tuple[object, ...]:
    """Files with the same key have the same rows."""
    found = file.path.stat()
    return file.path, file.first, file.last, found.st_ino, found.st_size, found.st_mtime_ns
