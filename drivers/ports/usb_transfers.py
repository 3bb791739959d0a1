"""Two bulk endpoints: transfers with a time limit, and what to do about those that fail. All of it blocks.

libusb's errors are the kernel's numbers. TRANSFER_ERRORS says what each one means.
"""

import errno
import os
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal

import usb.core

from drivers.ports.usb_claim import Claimed, release

ErrorAction = Literal["again", "stall", "gone"]


@dataclass(frozen=True, slots=True)
class TransferError:
    """`counter` is the name in the counts. `reason` says why the device is gone if the error persists."""

    counter: str
    action: ErrorAction
    reason: str


MOST_FAILURES: Final = 8
"""After so many failed transfers in a row a device counts as gone."""
_LINE = TransferError(
    "line_errors", "again", "its transfers fail again and again: check the cable and the hub"
)
_UNPLUGGED = TransferError("unplugged", "gone", "it was unplugged")
TRANSFER_ERRORS: Final[Mapping[int, TransferError]] = {
    errno.EPIPE: TransferError("stalls", "stall", "it stalls again and again"),
    errno.EOVERFLOW: TransferError(
        "overflows", "again", "it sends more than its packets hold, again and again"
    ),
    errno.EINTR: TransferError("interrupted", "again", "its transfers are interrupted again and again"),
    errno.EIO: _LINE,
    errno.EPROTO: _LINE,
    errno.EILSEQ: _LINE,
    errno.ETIME: _LINE,
    errno.ENODEV: _UNPLUGGED,
    errno.ESHUTDOWN: _UNPLUGGED,
    errno.ENOENT: _UNPLUGGED,
}


def transfer_error(error: OSError) -> TransferError:
    """What an error means. An unknown error means that the device is gone."""
    number = error.errno or 0
    return TRANSFER_ERRORS.get(number) or TransferError(
        "unknown_errors", "gone", os.strerror(number) if number else str(error)
    )


WAIT_MS = 100
"""A transfer ends after this time, so that closing a port takes no longer."""

NO_ENDPOINT = "it was unplugged: its endpoints are not there any more"
"""pyusb looks for the endpoints in the descriptors at the first transfer, and reports a missing one by a
ValueError."""


class Lost(Exception):
    """The device is gone. The text says why."""


class Endpoints:
    """One thread reads, another writes."""

    def __init__(self, claimed: Claimed) -> None:
        self._claimed: Claimed | None = claimed
        self._in, self._out, self._packet = claimed.address_in, claimed.address_out, claimed.packet
        self.counts: Counter[str] = Counter()
        self.open = False
        """The last packet was full. Until an empty one follows, the device waits for more."""
        self._failed = {self._in: 0, self._out: 0}

    def read(self, most: int) -> bytes:
        """Returns what the device sends within WAIT_MS. `most` is a multiple of its packet size. Raises
        Lost."""
        try:
            data = bytes(self._device().read(self._in, most, WAIT_MS))
        except usb.core.USBError as error:
            if error.errno != errno.ETIMEDOUT:  # that it has nothing to say is no trouble
                self._fail(self._in, error)
            return b""
        except ValueError as error:
            raise Lost(NO_ENDPOINT) from error
        self._failed[self._in] = 0
        return data

    def write(self, data: bytes) -> int:
        """Writes what the device takes within WAIT_MS. Returns how many bytes are done with. Raises Lost.

        The bytes of a failed transfer are done with too, because nobody knows how many of them arrived.
        """
        written = 0
        try:
            self._end_transfer()
            if data:
                written = int(self._device().write(self._out, data, WAIT_MS))
                self.open = written == len(data) and written % self._packet == 0
                self._end_transfer()
        except usb.core.USBError as error:
            if error.errno == errno.ETIMEDOUT:
                self.counts["timeouts"] += 1
                return written
            self._fail(self._out, error)
            return len(data)
        except ValueError as error:
            raise Lost(NO_ENDPOINT) from error
        self._failed[self._out] = 0
        return written

    def _end_transfer(self) -> None:
        if self.open:
            self._device().write(self._out, b"", WAIT_MS)
            self.open = False

    def release(self) -> None:
        """Releases the device. libusb's descriptors go with the last reference to it."""
        if self._claimed:
            release(self._claimed)
            self._claimed = None

    def _device(self) -> Any:
        if self._claimed is None:
            raise Lost("it was given back")
        return self._claimed.device

    def _fail(self, address: int, error: usb.core.USBError) -> None:
        kind = transfer_error(error)
        self.counts[kind.counter] += 1
        self._failed[address] += 1
        if kind.action == "gone" or self._failed[address] > MOST_FAILURES:
            raise Lost(kind.reason) from error
        if kind.action == "stall":
            self._clear(address)

    def _clear(self, address: int) -> None:
        try:
            self._device().clear_halt(address)
        except usb.core.USBError as error:
            raise Lost(transfer_error(error).reason) from error
