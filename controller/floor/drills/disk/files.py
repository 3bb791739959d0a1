"""Files and folders of a disk that forgets: each has what it holds, and what a loss of power leaves of it.

A sync of a file keeps its content and its size; a sync of a folder keeps its names. That is what `fsync`
promises, and no file system keeps less. It may keep more, so a loss of power may also leave any part of what
was not synced. Modes and times are never forgotten.
"""

import errno
import stat
import time
from collections.abc import Callable
from dataclasses import dataclass, field


@dataclass(slots=True, eq=False)
class Inode:
    """What a file and a folder have in common. `mode` has the type; `modified`: nanoseconds of Unix time."""

    number: int
    mode: int
    uid: int = 0
    gid: int = 0
    modified: int = field(default_factory=time.time_ns)

    @property
    def size(self) -> int:
        return 0

    def held(self) -> list["Inode"]:
        """What is in a folder."""
        return []

    def sync(self) -> int:
        """Keep what it has. Returns 0, the number of bytes that are forgotten."""
        return 0

    def forget(self) -> int:
        """Have what was kept. Returns how many bytes were written since."""
        return 0

    def touch(self) -> None:
        self.modified = time.time_ns()


@dataclass(slots=True, eq=False)
class File(Inode):
    content: bytearray = field(default_factory=bytearray)
    _kept: bytearray = field(default_factory=bytearray)
    _written: list[tuple[int, int]] = field(default_factory=list)
    """From where to where, since the last sync."""
    _least: int = 0
    """The smallest size since the last sync: what lies beyond is new."""

    @property
    def size(self) -> int:
        return len(self.content)

    def read(self, offset: int, size: int) -> bytes:
        return bytes(self.content[offset : offset + size])

    def write(self, offset: int, content: bytes) -> None:
        if offset > self.size:
            self.resize(offset)
        end = offset + len(content)
        self.content[offset:end] = content
        self._written.append((offset, end))
        self.touch()

    def resize(self, size: int) -> None:
        """What is added is zeros."""
        self._least = min(self._least, size)
        del self.content[size:]
        self.content.extend(bytes(size - self.size))
        self.touch()

    def sync(self) -> int:
        del self._kept[self._least :]
        self._kept.extend(bytes(self.size - len(self._kept)))
        for begin, end in self._written:
            self._kept[begin:end] = self.content[begin:end]
        self._written.clear()
        self._least = self.size
        return 0

    def forget(self) -> int:
        forgotten = sum(end - begin for begin, end in self._written)
        self.content = bytearray(self._kept)
        self._written.clear()
        self._least = self.size
        return forgotten


@dataclass(slots=True, eq=False)
class Folder(Inode):
    names: dict[bytes, Inode] = field(default_factory=dict)
    _kept: dict[bytes, Inode] = field(default_factory=dict)

    def held(self) -> list[Inode]:
        return [*self.names.values()]

    def sync(self) -> int:
        self._kept = dict(self.names)
        return 0

    def forget(self) -> int:
        self.names = dict(self._kept)
        return 0


class Tree:
    """All files and folders, by names. Raises KeyError for a name that is not there, and OSError with its
    errno where a file system does."""

    def __init__(self) -> None:
        self.root = Folder(1, stat.S_IFDIR | 0o755)
        self._numbers = 1

    def add(self, folder: Folder, name: bytes, mode: int, owner: tuple[int, int]) -> Inode:
        """Make a file or a folder, as `mode` says."""
        if name in folder.names:
            raise OSError(errno.EEXIST, "there is one with this name")
        self._numbers += 1
        kind = Folder if stat.S_ISDIR(mode) else File
        made = folder.names[name] = kind(self._numbers, mode, *owner)
        folder.touch()
        return made

    def remove(self, folder: Folder, name: bytes) -> None:
        """A file, or an empty folder. Whoever has the file open keeps it."""
        gone = folder.names[name]
        if isinstance(gone, Folder) and gone.names:
            raise OSError(errno.ENOTEMPTY, "the folder is not empty")
        del folder.names[name]
        folder.touch()

    def rename(self, folder: Folder, name: bytes, target: Folder, new: bytes) -> None:
        moved = folder.names[name]
        if target.names.get(new) is moved:
            return
        if new in target.names:
            self.remove(target, new)
        target.names[new] = folder.names.pop(name)
        folder.touch()
        target.touch()

    def settle(self) -> int:
        """Keep everything, as a computer does by itself some time after each write. Returns 0."""
        return self._visit(lambda inode: inode.sync())

    def clear(self) -> int:
        """Nothing is left. Returns 0."""
        self.root.names.clear()
        return self.root.sync()

    def lose_power(self, reached: Callable[[], bool] = lambda: False) -> int:
        """Forget what was not synced. `reached` says of each file and folder whether its writes have reached
        the disk nevertheless. Returns how many bytes are forgotten."""
        return self._visit(lambda inode: inode.sync() if reached() else inode.forget())

    def _visit(self, visit: Callable[[Inode], int]) -> int:
        """Each once, also those that have a name only before or only after the visit to their folder. Returns
        the sum."""
        total, todo, seen = 0, list[Inode]([self.root]), set[Inode]()
        while todo:
            inode = todo.pop()
            if inode not in seen:
                seen.add(inode)
                before = inode.held()
                total += visit(inode)
                todo += [*before, *inode.held()]
        return total
