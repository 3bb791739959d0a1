"""Requests of the kernel and their answers, byte by byte, without a kernel."""

import errno
import os
import stat
import struct
from itertools import count

import pytest

from controller.floor.drills.disk import protocol
from controller.floor.drills.disk.files import Tree
from controller.floor.drills.disk.filesystem import FileSystem
from controller.floor.drills.disk.protocol import ANSWER, REQUEST, ROOT, Operation


class Kernel:
    """It asks as a kernel does."""

    def __init__(self) -> None:
        self.files = FileSystem(Tree())
        self._unique = count(1)

    def send(self, operation: int, inode: int = ROOT, body: bytes = b"") -> bytes | None:
        self.unique = next(self._unique)
        length = REQUEST.size + len(body)
        return self.files.answer(REQUEST.pack(length, operation, self.unique, inode, 7, 8, 9, 0, 0) + body)

    def ask(self, operation: int, inode: int = ROOT, body: bytes = b"") -> bytes:
        """The answer without its header. Raises OSError for a refusal."""
        answer = self.send(operation, inode, body)
        assert answer is not None
        length, error, unique = ANSWER.unpack_from(answer)
        assert (length, unique) == (len(answer), self.unique)
        if error:
            raise OSError(-error, os.strerror(-error))
        return answer[ANSWER.size :]

    def make(self, name: bytes) -> int:
        """A file, opened; its number."""
        body = protocol.CREATE.pack(os.O_RDWR, stat.S_IFREG | 0o600, 0o22, 0) + name + b"\0"
        (number,) = struct.unpack_from("=Q", self.ask(Operation.CREATE, body=body))
        return int(number)

    def write(self, inode: int, offset: int, content: bytes) -> None:
        head = struct.pack("=QQIIQII", 0, offset, len(content), 0, 0, 0, 0)
        assert self.ask(Operation.WRITE, inode, head + content) == struct.pack("=II", len(content), 0)

    def read(self, operation: int, inode: int, offset: int = 0, size: int = 4096) -> bytes:
        return self.ask(operation, inode, struct.pack("=QQIIQII", 0, offset, size, 0, 0, 0, 0))

    def attributes(self, inode: int) -> tuple[int, ...]:
        """Number, size, blocks, mode, owner and group."""
        found = struct.unpack("=QQQQQQIIIIIIIIII", self.ask(Operation.GETATTR, inode)[16:])
        return tuple(found[place] for place in (0, 1, 2, 9, 11, 12))

    def list(self, size: int) -> list[bytes]:
        """The names of the root, with so many bytes in an answer."""
        found, position = list[bytes](), 0
        while part := self.read(Operation.READDIR, ROOT, position, size):
            while part:
                _, position, length, _ = struct.unpack_from("=QQII", part)
                found.append(part[24 : 24 + length])
                part = part[24 + length + -length % 8 :]
        return found


@pytest.fixture
def kernel() -> Kernel:
    return Kernel()


@pytest.mark.parametrize(
    ("layout", "size"),
    [
        (protocol.REQUEST, 40),
        (protocol.ANSWER, 16),
        (protocol.ATTRIBUTES, 88),
        (protocol.ENTRY, 40),
        (protocol.VALID, 16),
        (protocol.OPENED, 16),
        (protocol.INIT_OUT, 64),
        (protocol.READ, 40),
        (protocol.SET_ATTRIBUTES, 88),
        (protocol.CAPACITY, 80),
        (protocol.RENAME_FLAGGED, 16),
    ],
)
def test_a_message_has_the_length_that_the_kernel_expects(layout: struct.Struct, size: int) -> None:
    assert layout.size == size


def test_the_kernel_gets_only_what_it_offers(kernel: Kernel) -> None:
    answer = kernel.ask(Operation.INIT, body=struct.pack("=IIII", 7, 45, 1 << 17, 1 << 3))
    assert struct.unpack_from("=IIII", answer) == (7, 31, 1 << 17, 1 << 3)


def test_a_file_holds_what_was_written(kernel: Kernel) -> None:
    file = kernel.make(b"log")
    kernel.write(file, 2, b"abc")
    assert kernel.read(Operation.READ, file) == b"\0\0abc"
    assert kernel.read(Operation.READ, file, 3, 1) == b"b"


def test_attributes_have_size_mode_and_owner(kernel: Kernel) -> None:
    file = kernel.make(b"log")
    kernel.write(file, 0, b"abc")
    assert kernel.attributes(file) == (file, 3, 1, stat.S_IFREG | 0o600, 7, 8)


@pytest.mark.parametrize(
    ("which", "expected"),
    [
        (1, (3, stat.S_IFREG | 0o640, 7, 8)),
        (2, (3, stat.S_IFREG | 0o600, 100, 8)),
        (4, (3, stat.S_IFREG | 0o600, 7, 200)),
        (8, (2, stat.S_IFREG | 0o600, 7, 8)),
        (0x70, (3, stat.S_IFREG | 0o600, 7, 8)),
    ],
)
def test_only_the_named_attributes_are_set(kernel: Kernel, which: int, expected: tuple[int, ...]) -> None:
    file = kernel.make(b"log")
    kernel.write(file, 0, b"abc")
    wanted = (2, *[0] * 7, stat.S_IFREG | 0o640, 0, 100, 200, 0)
    kernel.ask(Operation.SETATTR, file, struct.pack("=IIQQQQQQIIIIIIII", which, 0, 0, *wanted))
    _, size, _, *others = kernel.attributes(file)
    assert (size, *others) == expected


def test_an_opening_that_truncates_empties_the_file(kernel: Kernel) -> None:
    file = kernel.make(b"log")
    kernel.write(file, 0, b"abc")
    kernel.ask(Operation.OPEN, file, struct.pack("=II", os.O_TRUNC, 0))
    assert kernel.read(Operation.READ, file) == b""


def test_a_folder_is_listed_whole_in_any_number_of_parts(kernel: Kernel) -> None:
    names = [b"n" * length for length in range(1, 30)]
    for name in names:
        kernel.make(name)
    assert kernel.list(64) == kernel.list(4096) == names


def test_a_missing_name_is_refused(kernel: Kernel) -> None:
    with pytest.raises(FileNotFoundError):
        kernel.ask(Operation.LOOKUP, body=b"nothing\0")


def test_a_second_file_of_the_same_name_is_refused(kernel: Kernel) -> None:
    kernel.make(b"log")
    with pytest.raises(FileExistsError):
        kernel.make(b"log")


def test_a_file_is_not_listed_and_a_folder_is_not_read(kernel: Kernel) -> None:
    with pytest.raises(NotADirectoryError):
        kernel.read(Operation.READDIR, kernel.make(b"log"))
    with pytest.raises(IsADirectoryError):
        kernel.read(Operation.READ, ROOT)


@pytest.mark.parametrize("operation", [22, 43, 50, 999])
def test_what_the_file_system_does_not_have_is_refused(kernel: Kernel, operation: int) -> None:
    with pytest.raises(OSError, match=os.strerror(errno.ENOSYS)):
        kernel.ask(operation)


def test_two_names_are_not_exchanged(kernel: Kernel) -> None:
    kernel.make(b"a")
    kernel.make(b"b")
    with pytest.raises(OSError, match=os.strerror(errno.EINVAL)):
        kernel.ask(Operation.RENAME2, body=struct.pack("=QII", ROOT, 2, 0) + b"a\0b\0")


def test_a_removed_file_is_read_until_the_kernel_forgets_it(kernel: Kernel) -> None:
    file = kernel.make(b"log")
    kernel.write(file, 0, b"abc")
    kernel.ask(Operation.UNLINK, body=b"log\0")
    assert kernel.read(Operation.READ, file) == b"abc"
    assert kernel.send(Operation.BATCH_FORGET, 0, struct.pack("=IIQQ", 1, 0, file, 1)) is None
    with pytest.raises(FileNotFoundError):
        kernel.read(Operation.READ, file)
