"""What a process remembers of the closed files of a journal that it has read.

A closed file never changes, so what was read from it cannot be out of date; its device, inode, size and
times of change are compared all the same. Damage that leaves these as they are, such as that of a failing
disk, is found only when the file is read. The live file is not remembered. Nothing is stored: the memory ends
with its process, and is filled again when it is needed.
"""

from collections import OrderedDict
from dataclasses import dataclass
from typing import Generic, TypeVar

from controller.journal.history import HistoryFile, read_errors

Contents = TypeVar("Contents")


@dataclass(frozen=True, slots=True)
class FileVersion:
    """A closed file at one time. Files of the same version have the same rows. `modified` and `changed`: the
    times of its last change and of that of its inode, in nanoseconds; only the first one can be set back."""

    file: HistoryFile
    device: int
    inode: int
    size: int
    modified: int
    changed: int


class ClosedFileMemory(Generic[Contents]):
    """Remembers the closed files that were used last, at most `most` of them."""

    def __init__(self, most: int) -> None:
        self.most = most
        self._contents = OrderedDict[FileVersion, Contents]()

    def find(self, version: FileVersion | None) -> Contents | None:
        """None if this version was not read, or has been evicted."""
        if version is None or version not in self._contents:
            return None
        self._contents.move_to_end(version)
        return self._contents[version]

    def add(self, version: FileVersion | None, contents: Contents) -> None:
        """`version`: that of the file before it was read. Adds nothing if the file was changed meanwhile.
        Raises JournalError."""
        if version is None or version_of(version.file) != version:
            return
        self._contents[version] = contents
        while len(self._contents) > self.most:
            self._contents.popitem(last=False)


def version_of(file: HistoryFile) -> FileVersion | None:
    """None for the live file. Raises JournalError for a file that is gone or cannot be read."""
    if not file.closed:
        return None
    with read_errors(file.path):
        found = file.path.stat()
    return FileVersion(file, found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns)
