"""The ioctls of a USB device's node that libusb needs, as the kernel implements them
(linux/usbdevice_fs.h).

Called from umockdev's thread. A call never waits: a transfer without bytes or room stays pending.
"""

import errno
import struct
import threading
from collections import defaultdict, deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final

from drivers.sim.usb.descriptors import TO_HOST
from drivers.sim.usb.gadget import Gadget

URB: Final = struct.Struct("=BBxxiI4xQii")
"""Type, endpoint, status, flags, buffer, its length, bytes done. The rest is not used here."""
STATUS_AT = 4
BUFFER_AT = 16
DONE_AT = 28
CONTROL: Final = 2
SETUP: Final = 8
CAPABILITIES: Final = 0x01 | 0x04 | 0x10
"""Zero packets, no limit of packet sizes, reaping after a disconnect."""


@dataclass(slots=True)
class Transfer:
    """A URB on its way. `urb` and `buffer` are memory of the process that submitted it."""

    urb: Any
    buffer: Any
    endpoint: int
    size: int


@dataclass(slots=True)
class OpenFile:
    """One open descriptor of the node."""

    pending: list[Transfer] = field(default_factory=list)
    done: deque[Any] = field(default_factory=deque)


class Usbfs:
    """The node of one plugged gadget."""

    def __init__(self, gadget: Gadget) -> None:
        self.gadget = gadget
        self._lock = threading.Lock()
        self._files: defaultdict[Any, OpenFile] = defaultdict(OpenFile)
        self._owner: Any = None
        self._gone = False
        self.calls = 0
        self.pull_at = 0
        """The number of the call during which the plug is pulled; 0: none."""

    def unplug(self) -> None:
        """Ends all pending transfers with ESHUTDOWN. From now on there is no device."""
        with self._lock:
            self._end_all()

    def forget(self, client: Any) -> None:
        """The descriptor was closed."""
        with self._lock:
            self._files.pop(client, None)
            self._owner = None if self._owner is client else self._owner

    def ioctl(self, client: Any) -> bool:
        """Does and completes one call. Always True: every call is ours."""
        request = client.get_request()
        do = _CALLS.get(request & 0xFF, Usbfs._unknown)
        with self._lock:
            self._count()
            number = do(self, client, client.get_arg(), (request >> 16) & 0x3FFF)
        client.complete(-1 if number else 0, number)
        return True

    def _count(self) -> None:
        self.calls += 1
        if self.calls == self.pull_at:
            self._end_all()

    def _end_all(self) -> None:
        self._gone = True
        for file in self._files.values():
            for transfer in file.pending:
                _finish(file, transfer, -errno.ESHUTDOWN)
            file.pending.clear()

    def _unknown(self, _client: Any, _argument: Any, _size: int) -> int:
        return errno.ENOTTY

    def _nothing(self, _client: Any, _argument: Any, _size: int) -> int:
        return errno.ENODEV if self._gone else 0

    def _capabilities(self, _client: Any, argument: Any, size: int) -> int:
        argument.resolve(0, size).update(0, list(struct.pack("=I", CAPABILITIES)))
        return 0

    def _claim(self, client: Any, _argument: Any, _size: int) -> int:
        if self._gone:
            return errno.ENODEV
        self._owner = self._owner or client
        return 0 if self._owner is client else errno.EBUSY

    def _release(self, client: Any, _argument: Any, _size: int) -> int:
        self._owner = None if self._owner is client else self._owner
        return errno.ENODEV if self._gone else 0

    def _clear_halt(self, _client: Any, argument: Any, size: int) -> int:
        self.gadget.halted.discard(int.from_bytes(bytes(argument.resolve(0, size).retrieve()), "little"))
        return errno.ENODEV if self._gone else 0

    def _submit(self, client: Any, argument: Any, size: int) -> int:
        if self._gone:
            return errno.ENODEV
        urb = argument.resolve(0, size)
        kind, endpoint, _status, _flags, _buffer, length, _done = URB.unpack_from(bytes(urb.retrieve()))
        buffer = urb.resolve(BUFFER_AT, length) if length else None
        transfer = Transfer(urb, buffer, endpoint, length)
        file = self._files[client]
        if kind == CONTROL:
            _finish(file, transfer, *self._answer(transfer))
        elif not self._carry(file, transfer):
            file.pending.append(transfer)
        return 0

    def _discard(self, client: Any, argument: Any, _size: int) -> int:
        file = self._files[client]
        (address,) = struct.unpack("=Q", bytes(argument.retrieve()))
        for transfer in file.pending:
            if transfer.urb.client_addr == address:
                file.pending.remove(transfer)
                _finish(file, transfer, -errno.ENOENT)
                return 0
        return errno.ENODEV if self._gone else errno.EINVAL

    def _reap(self, client: Any, argument: Any, _size: int) -> int:
        file = self._files[client]
        waiting, file.pending = file.pending, []
        file.pending = [transfer for transfer in waiting if not self._carry(file, transfer)]
        if not file.done:
            return errno.ENODEV if self._gone else errno.EAGAIN
        argument.resolve(0, 8).set_ptr(0, file.done.popleft())
        return 0

    def _answer(self, transfer: Transfer) -> tuple[int, int]:
        """Status and length of a control transfer."""
        response = self.gadget.identity.answer(bytes(transfer.buffer.retrieve())[:SETUP])
        if response is None:
            return -errno.EPIPE, 0
        transfer.buffer.update(SETUP, list(response))
        return 0, len(response)

    def _carry(self, file: OpenFile, transfer: Transfer) -> bool:
        """Moves what can be moved now. False: nothing can."""
        if transfer.endpoint in self.gadget.halted:
            _finish(file, transfer, -errno.EPIPE)
            return True
        carry = self._carry_in if transfer.endpoint & TO_HOST else self._carry_out
        return carry(file, transfer)

    def _carry_in(self, file: OpenFile, transfer: Transfer) -> bool:
        data = self.gadget.give(transfer.size)
        if data is None:
            return False
        if data:
            transfer.buffer.update(0, list(data))
        _finish(file, transfer, 0, len(data))
        return True

    def _carry_out(self, file: OpenFile, transfer: Transfer) -> bool:
        data = bytes(transfer.buffer.retrieve()) if transfer.size else b""
        if not self.gadget.accept(data):
            return False
        _finish(file, transfer, 0, len(data))
        return True


def _finish(file: OpenFile, transfer: Transfer, status: int, done: int = 0) -> None:
    transfer.urb.update(STATUS_AT, list(struct.pack("=i", status)))
    transfer.urb.update(DONE_AT, list(struct.pack("=i", done)))
    file.done.append(transfer.urb)


_CALLS: dict[int, Callable[[Usbfs, Any, Any, int], int]] = {
    10: Usbfs._submit,
    11: Usbfs._discard,
    12: Usbfs._reap,
    13: Usbfs._reap,
    15: Usbfs._claim,
    16: Usbfs._release,
    20: Usbfs._nothing,
    21: Usbfs._clear_halt,
    26: Usbfs._capabilities,
}
"""By the number of the usbfs call."""
