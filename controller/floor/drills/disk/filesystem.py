"""The file system of a disk that forgets: each request of the kernel gets its answer from the tree.

Nothing here reads or writes by itself; `answer` takes the bytes of a request and gives those of the answer.
"""

import errno
import os
import stat
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Final

from controller.floor.drills.disk import protocol
from controller.floor.drills.disk.files import File, Folder, Inode, Tree
from controller.floor.drills.disk.protocol import Operation, Request

BLOCKS: Final = 1 << 28
"""A terabyte: servers reserve room for their streams."""
SET_MODE, SET_OWNER, SET_GROUP, SET_SIZE = 1, 2, 4, 8


class FileSystem:
    """`tree`: what is there; a loss of power may change it between two requests."""

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self._inodes: dict[int, Inode] = {protocol.ROOT: tree.root}
        self._known = Counter[int]()
        """How often the kernel was given each number, and has not forgotten it."""

    def answer(self, message: bytes) -> bytes | None:
        """None for what the kernel expects no answer to."""
        request = Request.read(message)
        if request.operation in SILENT:
            SILENT[Operation(request.operation)](self, request)
            return None
        handler = HANDLERS.get(request.operation)
        if handler is None:
            return request.refuse(errno.ENOSYS)
        try:
            return request.answer(handler(self, request))
        except KeyError:
            return request.refuse(errno.ENOENT)
        except OSError as error:
            return request.refuse(error.errno or errno.EIO)

    def _init(self, request: Request) -> bytes:
        _, _, ahead, offered = protocol.INIT_IN.unpack_from(request.body)
        flags = offered & protocol.WANTED
        return protocol.INIT_OUT.pack(
            protocol.MAJOR, protocol.MINOR, ahead, flags, 0, 0, protocol.MOST_WRITTEN, 1, 0, 0
        )

    def _lookup(self, request: Request) -> bytes:
        (name,) = protocol.names(request.body)
        return self._entry(self._folder(request.inode).names[name])

    def _forget(self, request: Request) -> None:
        self._drop(request.inode, *protocol.FORGET.unpack_from(request.body))

    def _forget_many(self, request: Request) -> None:
        (count,) = protocol.FORGET_COUNT.unpack_from(request.body)
        rest = request.body[protocol.FORGET_COUNT.size :]
        for inode, times in protocol.FORGET_ONE.iter_unpack(rest[: count * protocol.FORGET_ONE.size]):
            self._drop(inode, times)

    def _ignore(self, request: Request) -> None:
        """An answer that somebody no longer waits for comes at once anyway."""

    def _get_attributes(self, request: Request) -> bytes:
        return protocol.VALID.pack(0, 0) + _attributes(self._inodes[request.inode])

    def _set_attributes(self, request: Request) -> bytes:
        which, size, mode, uid, gid = protocol.SET_ATTRIBUTES.unpack_from(request.body)
        inode = self._inodes[request.inode]
        if which & SET_MODE:
            inode.mode = mode
        if which & SET_OWNER:
            inode.uid = uid
        if which & SET_GROUP:
            inode.gid = gid
        if which & SET_SIZE:
            self._file(request.inode).resize(size)
        return self._get_attributes(request)

    def _make_node(self, request: Request) -> bytes:
        mode, *_ = protocol.CREATE.unpack_from(request.body)
        return self._entry(self._made(request, protocol.CREATE.size, mode))

    def _make_folder(self, request: Request) -> bytes:
        mode, _ = protocol.MAKE_FOLDER.unpack_from(request.body)
        return self._entry(self._made(request, protocol.MAKE_FOLDER.size, mode | stat.S_IFDIR))

    def _create(self, request: Request) -> bytes:
        _, mode, *_ = protocol.CREATE.unpack_from(request.body)
        return self._entry(self._made(request, protocol.CREATE.size, mode)) + _opened()

    def _remove(self, request: Request) -> bytes:
        (name,) = protocol.names(request.body)
        self.tree.remove(self._folder(request.inode), name)
        return b""

    def _rename(self, request: Request) -> bytes:
        (target,) = protocol.RENAME.unpack_from(request.body)
        return self._renamed(request, target, protocol.RENAME.size)

    def _rename_flagged(self, request: Request) -> bytes:
        target, flags = protocol.RENAME_FLAGGED.unpack_from(request.body)
        if flags:
            raise OSError(errno.EINVAL, "an exchange of two names")
        return self._renamed(request, target, protocol.RENAME_FLAGGED.size)

    def _open(self, request: Request) -> bytes:
        flags, _ = protocol.OPEN.unpack_from(request.body)
        if flags & os.O_TRUNC:
            self._file(request.inode).resize(0)
        return _opened()

    def _read(self, request: Request) -> bytes:
        _, offset, size = protocol.READ.unpack_from(request.body)
        return self._file(request.inode).read(offset, size)

    def _write(self, request: Request) -> bytes:
        _, offset, size = protocol.WRITE.unpack_from(request.body)
        begin = protocol.WRITE.size
        self._file(request.inode).write(offset, request.body[begin : begin + size])
        return protocol.WRITTEN.pack(size)

    def _sync(self, request: Request) -> bytes:
        self._inodes[request.inode].sync()
        return b""

    def _list(self, request: Request) -> bytes:
        """The position in the list is the number of names before it. A loss of power, or another change,
        may come between two parts of a list, as on any file system."""
        _, begin, size = protocol.READ.unpack_from(request.body)
        found = b""
        for position, (name, inode) in enumerate(self._folder(request.inode).names.items(), 1):
            if position > begin:
                one = protocol.named(inode.number, position, inode.mode >> 12, name)
                if len(found) + len(one) > size:
                    break
                found += one
        return found

    def _capacity(self, _request: Request) -> bytes:
        many = BLOCKS
        return protocol.CAPACITY.pack(many, many, many, many, many, protocol.BLOCK, 255, protocol.BLOCK)

    def _nothing(self, _request: Request) -> bytes:
        return b""

    def _made(self, request: Request, begin: int, mode: int) -> Inode:
        (name,) = protocol.names(request.body[begin:])
        return self.tree.add(self._folder(request.inode), name, mode, request.owner)

    def _renamed(self, request: Request, target: int, begin: int) -> bytes:
        name, new = protocol.names(request.body[begin:])
        self.tree.rename(self._folder(request.inode), name, self._folder(target), new)
        return b""

    def _entry(self, inode: Inode) -> bytes:
        self._inodes[inode.number] = inode
        self._known[inode.number] += 1
        return protocol.ENTRY.pack(inode.number, 0, 0, 0, 0, 0) + _attributes(inode)

    def _drop(self, number: int, times: int) -> None:
        self._known[number] -= times
        if self._known[number] <= 0 and number != protocol.ROOT:
            del self._known[number]
            self._inodes.pop(number, None)

    def _folder(self, number: int) -> Folder:
        if isinstance(found := self._inodes[number], Folder):
            return found
        raise OSError(errno.ENOTDIR, "a file")

    def _file(self, number: int) -> File:
        if isinstance(found := self._inodes[number], File):
            return found
        raise OSError(errno.EISDIR, "a folder")


def _opened() -> bytes:
    return protocol.OPENED.pack(0, 0, 0)


def _attributes(inode: Inode) -> bytes:
    seconds, nanoseconds = divmod(inode.modified, protocol.SECOND)
    blocks = -(-inode.size // 512)
    return protocol.ATTRIBUTES.pack(
        inode.number,
        inode.size,
        blocks,
        *(seconds,) * 3,
        *(nanoseconds,) * 3,
        inode.mode,
        1,
        inode.uid,
        inode.gid,
        0,
        protocol.BLOCK,
        0,
    )


SILENT: Final[Mapping[int, Callable[[FileSystem, Request], None]]] = {
    Operation.FORGET: FileSystem._forget,
    Operation.BATCH_FORGET: FileSystem._forget_many,
    Operation.INTERRUPT: FileSystem._ignore,
}
HANDLERS: Final[Mapping[int, Callable[[FileSystem, Request], bytes]]] = {
    Operation.INIT: FileSystem._init,
    Operation.LOOKUP: FileSystem._lookup,
    Operation.GETATTR: FileSystem._get_attributes,
    Operation.SETATTR: FileSystem._set_attributes,
    Operation.MKNOD: FileSystem._make_node,
    Operation.MKDIR: FileSystem._make_folder,
    Operation.CREATE: FileSystem._create,
    Operation.UNLINK: FileSystem._remove,
    Operation.RMDIR: FileSystem._remove,
    Operation.RENAME: FileSystem._rename,
    Operation.RENAME2: FileSystem._rename_flagged,
    Operation.OPEN: FileSystem._open,
    Operation.READ: FileSystem._read,
    Operation.WRITE: FileSystem._write,
    Operation.FSYNC: FileSystem._sync,
    Operation.FSYNCDIR: FileSystem._sync,
    Operation.READDIR: FileSystem._list,
    Operation.STATFS: FileSystem._capacity,
    Operation.OPENDIR: lambda *_: _opened(),
    Operation.FLUSH: FileSystem._nothing,
    Operation.ACCESS: FileSystem._nothing,
    Operation.RELEASE: FileSystem._nothing,
    Operation.RELEASEDIR: FileSystem._nothing,
}
