"""The messages of FUSE, in which the kernel asks a program for the files of a file system.

Layouts, numbers and flags are those of `include/uapi/linux/fuse.h` of Linux, in version 7.31 of the protocol,
which every later kernel speaks too. A request is a header and what belongs to its operation; names end with a
zero byte.
"""

import struct
from dataclasses import dataclass
from enum import IntEnum
from typing import Final

MAJOR: Final = 7
MINOR: Final = 31
MOST_WRITTEN: Final = 128 * 1024
"""Bytes of one write at most."""
MOST_REQUEST: Final = MOST_WRITTEN + 4096
"""Bytes with which a request must be read."""
ROOT: Final = 1
"""The number of the root."""
BLOCK: Final = 4096
SECOND: Final = 1_000_000_000
"""Nanoseconds."""
TRUNCATE_AT_OPEN: Final = 1 << 3
BIG_WRITES: Final = 1 << 5
WANTED: Final = TRUNCATE_AT_OPEN | BIG_WRITES
"""What the file system asks of the kernel: O_TRUNC comes with the opening, and writes may be large."""

REQUEST: Final = struct.Struct("=IIQQIIIHH")
ANSWER: Final = struct.Struct("=IiQ")
ATTRIBUTES: Final = struct.Struct("=QQQQQQIIIIIIIIII")
VALID: Final = struct.Struct("=QI4x")
"""For how long the kernel may believe attributes: not at all, as a loss of power changes them."""
ENTRY: Final = struct.Struct("=QQQQII")
OPENED: Final = struct.Struct("=QII")
INIT_IN: Final = struct.Struct("=IIII")
INIT_OUT: Final = struct.Struct("=IIIIHHII2H32x")
MAKE_FOLDER: Final = struct.Struct("=II")
CREATE: Final = struct.Struct("=IIII")
OPEN: Final = struct.Struct("=II")
READ: Final = struct.Struct("=QQI20x")
WRITE: Final = READ
WRITTEN: Final = struct.Struct("=I4x")
SET_ATTRIBUTES: Final = struct.Struct("=I12xQ44xI4xII4x")
"""Which ones, size, mode, owner and group; times are ignored."""
RENAME: Final = struct.Struct("=Q")
RENAME_FLAGGED: Final = struct.Struct("=QI4x")
FORGET: Final = struct.Struct("=Q")
FORGET_COUNT: Final = struct.Struct("=I4x")
FORGET_ONE: Final = struct.Struct("=QQ")
CAPACITY: Final = struct.Struct("=QQQQQIII28x")
NAMED: Final = struct.Struct("=QQII")
"""One name in a folder."""


class Operation(IntEnum):
    """What the kernel asks for. Others are refused as not there, and the kernel does without them."""

    LOOKUP = 1
    FORGET = 2
    GETATTR = 3
    SETATTR = 4
    MKNOD = 8
    MKDIR = 9
    UNLINK = 10
    RMDIR = 11
    RENAME = 12
    OPEN = 14
    READ = 15
    WRITE = 16
    STATFS = 17
    RELEASE = 18
    FSYNC = 20
    FLUSH = 25
    INIT = 26
    OPENDIR = 27
    READDIR = 28
    RELEASEDIR = 29
    FSYNCDIR = 30
    ACCESS = 34
    CREATE = 35
    INTERRUPT = 36
    BATCH_FORGET = 42
    RENAME2 = 45


@dataclass(frozen=True, slots=True)
class Request:
    """`inode`: the number of the file or folder; `owner`: user and group of who asks; `body`: the rest."""

    operation: int
    unique: int
    inode: int
    owner: tuple[int, int]
    body: bytes

    @classmethod
    def read(cls, message: bytes) -> "Request":
        _, operation, unique, inode, uid, gid, *_ = REQUEST.unpack_from(message)
        return cls(operation, unique, inode, (uid, gid), message[REQUEST.size :])

    def answer(self, body: bytes) -> bytes:
        return ANSWER.pack(ANSWER.size + len(body), 0, self.unique) + body

    def refuse(self, error: int) -> bytes:
        """`error`: of errno."""
        return ANSWER.pack(ANSWER.size, -error, self.unique)


def names(body: bytes) -> list[bytes]:
    """What follows the fixed part of a request: one name, or two."""
    return body.split(b"\0")[:-1]


def named(inode: int, position: int, kind: int, name: bytes) -> bytes:
    """A name in the list of a folder. `position`: where the next part of the list begins; `kind`: the type of
    its mode, in four bits."""
    padding = bytes(-len(name) % 8)
    return NAMED.pack(inode, position, len(name), kind) + name + padding
