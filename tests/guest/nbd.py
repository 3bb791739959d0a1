"""A disk that loses what was not flushed: an NBD server with a volatile write cache.

Theory of operation. QEMU is the client (the protocol is doc/proto.md of nbd; fixed newstyle, one export,
simple replies). A write is answered at once and lies in the cache, block by block. FLUSH, and a write with
FUA, make it durable. At a loss of power each block in the cache is kept or lost by the throw of a coin, in no
order, as a drive with a cache may do it; then the server answers nothing any more. What is durable survives
as the content of the next server.

`deaf` is the disk that lies: it answers FLUSH and keeps everything in the cache, like a writer that never
asks for one.
"""

import contextlib
import socket
import struct
import threading
from pathlib import Path
from random import Random
from types import TracebackType
from typing import Final, Self

BLOCK: Final = 4096
MAGIC: Final = b"NBDMAGIC"
OPTION_MAGIC: Final = b"IHAVEOPT"
OPTION_REPLY: Final = 0x3E889045565A9
REQUEST: Final = struct.Struct(">IHHQQI")
REQUEST_MAGIC: Final = 0x25609513
REPLY: Final = struct.Struct(">IIQ")
REPLY_MAGIC: Final = 0x67446698
OPTION: Final = struct.Struct(">8sII")
FIXED_NEWSTYLE: Final = 1
GO, EXPORT_NAME, ABORT = 7, 1, 2
ACK, INFO, UNSUPPORTED = 1, 3, (1 << 31) + 1
HAS_FLAGS, SEND_FLUSH, SEND_FUA = 1, 4, 8
READ, WRITE, DISCONNECT, FLUSH = range(4)
FUA: Final = 1
INVALID: Final = 22


class Power:
    """What feeds several disks, which lose it together. `trips`: it goes at so many flushes from now that
    have something to do, before the last of them has done it; 0: at none."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.on, self.trips = True, 0
        self.disks: list[LossyDisk] = []

    def cut(self) -> None:
        """The power goes. Nothing is answered any more."""
        with self.lock:
            self.fail()

    def fail(self) -> None:
        """The same, for a caller that holds the lock."""
        if self.on:
            self.on = False
            for disk in self.disks:
                disk.lose()


class LossyDisk:
    """A context in which the disk is served at the Unix socket `path`. `content`: its blocks, by their
    number; those that are not in it are zeros. It changes with each FLUSH, and at the end by what the throw
    of the coin keeps."""

    def __init__(
        self,
        path: Path,
        megabytes: int,
        content: dict[int, bytes],
        chance: Random,
        power: Power,
        *,
        deaf: bool = False,
    ) -> None:
        self._path, self._size = path, megabytes << 20
        self._content, self._cache = content, dict[int, bytes]()
        self._chance, self._deaf = chance, deaf
        self._power = power
        power.disks.append(self)
        self.kept = self.lost = self.flushes = 0
        """Blocks of the cache at the loss of power; flushes until then."""
        self.unflushed: dict[int, bytes] = {}
        """Those blocks, kept or lost."""
        self._listener = socket.socket(socket.AF_UNIX)
        self._client: socket.socket | None = None
        self._thread = threading.Thread(target=self._serve, daemon=True)

    def __enter__(self) -> Self:
        self._path.unlink(missing_ok=True)
        self._listener.bind(str(self._path))
        self._listener.listen()
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._power.cut()
        with contextlib.suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        if self._client is not None:
            with contextlib.suppress(OSError):
                self._client.shutdown(socket.SHUT_RDWR)
        self._thread.join()

    def lose(self) -> None:
        """Keeps or loses each block of the cache. The caller has the lock of the power."""
        self.unflushed = dict(self._cache)
        for number, block in self._cache.items():
            if self._chance.random() < 0.5:
                self._content[number] = block
                self.kept += 1
            else:
                self.lost += 1
        self._cache.clear()

    def _serve(self) -> None:
        with contextlib.suppress(OSError, EOFError):
            self._client, _ = self._listener.accept()
            with self._client:
                self._negotiate(self._client)
                while self._answer(self._client):
                    continue

    def _negotiate(self, client: socket.socket) -> None:
        """Raises EOFError if the client goes without a disk."""
        client.sendall(MAGIC + OPTION_MAGIC + struct.pack(">H", FIXED_NEWSTYLE))
        _exactly(client, 4)
        flags = HAS_FLAGS | SEND_FLUSH | SEND_FUA
        while True:
            _magic, option, length = OPTION.unpack(_exactly(client, OPTION.size))
            _exactly(client, length)
            if option == EXPORT_NAME:
                client.sendall(struct.pack(">QH", self._size, flags) + bytes(124))
                return
            if option == GO:
                described = struct.pack(">HQH", 0, self._size, flags)
                _reply(client, option, INFO, described)
                _reply(client, option, ACK)
                return
            _reply(client, option, ACK if option == ABORT else UNSUPPORTED)

    def _answer(self, client: socket.socket) -> bool:
        """Carries one request out. False: the client or the power has gone."""
        magic, flags, kind, handle, offset, length = REQUEST.unpack(_exactly(client, REQUEST.size))
        assert magic == REQUEST_MAGIC
        data = _exactly(client, length) if kind == WRITE else b""
        flushes = kind == FLUSH or (kind == WRITE and bool(flags & FUA))
        with self._power.lock:
            if flushes and self._power.trips and self._cache:
                self._power.trips -= 1
                if not self._power.trips:
                    self._power.fail()
            if not self._power.on or kind == DISCONNECT:
                return False
            found = self._read(offset, length) if kind == READ else b""
            if kind == WRITE:
                self._write(offset, data)
            if flushes:
                self._flush()
            error = 0 if kind in (READ, WRITE, FLUSH) else INVALID
            client.sendall(REPLY.pack(REPLY_MAGIC, error, handle) + found)
        return True

    def _read(self, offset: int, length: int) -> bytes:
        first, last = offset // BLOCK, (offset + length - 1) // BLOCK
        data = b"".join(map(self._block, range(first, last + 1)))
        return data[offset - first * BLOCK :][:length]

    def _write(self, offset: int, data: bytes) -> None:
        """Block by block. A part of a block takes the rest from what is there."""
        while data:
            number, start = divmod(offset, BLOCK)
            part, data = data[: BLOCK - start], data[BLOCK - start :]
            if len(part) < BLOCK:
                old = self._block(number)
                part = old[:start] + part + old[start + len(part) :]
            self._cache[number] = part
            offset += BLOCK - start

    def _block(self, number: int) -> bytes:
        return self._cache.get(number) or self._content.get(number) or bytes(BLOCK)

    def _flush(self) -> None:
        self.flushes += 1
        if not self._deaf:
            self._content.update(self._cache)
            self._cache.clear()


def _exactly(client: socket.socket, length: int) -> bytes:
    """Raises EOFError if the client goes."""
    data = bytearray()
    while len(data) < length:
        part = client.recv(length - len(data))
        if not part:
            raise EOFError
        data += part
    return bytes(data)


def _reply(client: socket.socket, option: int, kind: int, data: bytes = b"") -> None:
    client.sendall(struct.pack(">QIII", OPTION_REPLY, option, kind, len(data)) + data)
