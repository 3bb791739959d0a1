"""An FT232R: a converter from USB to a serial line, as far as the kernel's ftdi_sio and a table use it.

Vendor requests and the two bytes of status that begin each packet are those of the kernel's
drivers/usb/serial/ftdi_sio.h. Bytes from the line wait until the host's transfer is full or the latency timer
ends. The real chip then sends even a packet without data, which this one leaves out: a thousand empty packets
a second would only keep the emulator busy.
"""

import asyncio
import struct
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from tests.guest.usb.function import PACKET, TO_HOST, VENDOR_SPECIFIC, EndpointType, Setup

VENDOR: Final = 0x0403
PRODUCT: Final = 0x6001
FT232R: Final = 0x0600
"""The version that tells an FT232R from its relatives."""
ENGLISH: Final = 0x0409
GET_DESCRIPTOR: Final = 0x06
VENDOR_REQUEST: Final = 0x40
PURGE_ALL, PURGE_FROM_LINE, PURGE_TO_LINE = range(3)
CLOCK: Final = 3_000_000
FASTEST: Final[Mapping[int, int]] = {0: CLOCK, 1: 2_000_000}
"""Codes that are no divisors."""
EIGHTHS: Final = (0, 4, 2, 1, 3, 5, 6, 7)
"""Eighths of the divisor, by the code in its upper bits."""
STATUS: Final = bytes([0x01 | 0x30, 0x60])
"""Clear to send, data set ready, transmitter empty."""
DATA: Final = PACKET - len(STATUS)
LATENCY: Final = 16
"""Milliseconds after a reset."""
MOST: Final = 16_384
"""Bytes that wait in it. A real one holds 256 and then loses bytes; the host of a test may take long."""


@dataclass(slots=True)
class Line:
    """How the host has set the line."""

    baud: int = 9600
    bits: int = 8
    parity: int = 0
    stop_bits: int = 0
    broken: bool = False
    dtr: bool = False
    rts: bool = False
    latency: int = LATENCY
    """Milliseconds."""


class Ftdi:
    """One converter, in a running loop. `lost`: bytes to the host that had no room."""

    vendor, product, version = VENDOR, PRODUCT, FT232R
    bulk_in, bulk_out = 0x81, 0x02
    interface_class = VENDOR_SPECIFIC
    endpoints: Mapping[int, EndpointType] = {bulk_in: EndpointType.BULK, bulk_out: EndpointType.BULK}

    def __init__(self, serial: str) -> None:
        self._texts = ("", "FTDI", "FT232R USB UART", serial)
        self.line = Line()
        self.lost = 0
        self._from_line, self._to_line = bytearray(), bytearray()
        self._due = False
        self._timer: asyncio.TimerHandle | None = None
        self._changed: Callable[[], None] = lambda: None

    def plug(self, changed: Callable[[], None]) -> None:
        self.line = Line()
        self._from_line.clear()
        self._to_line.clear()
        self._due = False
        self._changed = changed

    def control(self, setup: Setup) -> bytes | None:
        if setup.kind & 0x60 == VENDOR_REQUEST:
            handle = _REQUESTS.get(setup.request)
            return handle(self, setup) if handle else bytes(setup.length if setup.kind & TO_HOST else 0)
        if setup.request == GET_DESCRIPTOR:
            return self._descriptor(setup.value >> 8, setup.value & 0xFF)
        return bytes(setup.length) if setup.kind & TO_HOST else b""

    def accept(self, data: bytes) -> bool:
        self._to_line += data
        return True

    def give(self, most: int) -> bytes | None:
        if not self._due and len(self._from_line) < most // PACKET * DATA:
            return None
        packets = bytearray()
        while self._from_line and len(packets) + PACKET <= most:
            packets += STATUS + self._from_line[:DATA]
            del self._from_line[:DATA]
        self._due = bool(self._from_line) and self._due
        if len(packets) % PACKET == 0 and len(packets) < most:
            packets += STATUS  # a packet that is not full ends the transfer
        return bytes(packets)

    def take(self) -> bytes:
        data = bytes(self._to_line)
        self._to_line.clear()
        return data

    def write(self, data: bytes) -> None:
        room = MOST - len(self._from_line)
        self.lost += max(0, len(data) - room)
        first = not self._from_line
        self._from_line += data[:room]
        if first and data:
            self._timer = asyncio.get_running_loop().call_later(self.line.latency / 1000, self._ring)
        self._changed()

    def _ring(self) -> None:
        """The latency timer ended."""
        self._due = bool(self._from_line)
        self._changed()

    def _descriptor(self, kind: int, index: int) -> bytes | None:
        if kind == 1:
            return struct.pack(
                "<BBHBBBBHHHBBBB", 18, 1, 0x0200, 0, 0, 0, 8, VENDOR, PRODUCT, FT232R, 1, 2, 3, 1
            )
        if kind == 2:
            ends = b"".join(
                struct.pack("<BBBBHB", 7, 5, each, 2, PACKET, 0) for each in (self.bulk_in, self.bulk_out)
            )
            interface = struct.pack("<BBBBBBBBB", 9, 4, 0, 0, 2, 0xFF, 0xFF, 0xFF, 2)
            head = struct.pack("<BBHBBBBB", 9, 2, 9 + len(interface) + len(ends), 1, 1, 0, 0xA0, 45)
            return head + interface + ends
        if kind == 3 and index < len(self._texts):
            text = struct.pack("<H", ENGLISH) if index == 0 else self._texts[index].encode("utf-16-le")
            return struct.pack("BB", len(text) + 2, 3) + text
        return None

    def _reset(self, setup: Setup) -> bytes:
        if setup.value in (PURGE_ALL, PURGE_FROM_LINE):
            self._from_line.clear()
        if setup.value in (PURGE_ALL, PURGE_TO_LINE):
            self._to_line.clear()
        return b""

    def _modem_control(self, setup: Setup) -> bytes:
        if setup.value & 0x0100:
            self.line.dtr = bool(setup.value & 1)
        if setup.value & 0x0200:
            self.line.rts = bool(setup.value & 2)
        return b""

    def _set_baud(self, setup: Setup) -> bytes:
        code = setup.value | (setup.index & 1) << 16
        eighths = (code & 0x3FFF) * 8 + EIGHTHS[code >> 14]
        self.line.baud = FASTEST.get(code) or CLOCK * 8 // eighths
        return b""

    def _set_data(self, setup: Setup) -> bytes:
        line = self.line
        line.bits, line.parity = setup.value & 0xFF, setup.value >> 8 & 7
        line.stop_bits, line.broken = setup.value >> 11 & 3, bool(setup.value >> 14 & 1)
        return b""

    def _set_latency(self, setup: Setup) -> bytes:
        self.line.latency = setup.value
        return b""


_REQUESTS: Final[Mapping[int, Callable[[Ftdi, Setup], bytes]]] = {
    0: Ftdi._reset,
    1: Ftdi._modem_control,
    3: Ftdi._set_baud,
    4: Ftdi._set_data,
    5: lambda _ftdi, _setup: STATUS,
    9: Ftdi._set_latency,
    10: lambda ftdi, _setup: bytes([ftdi.line.latency]),
}
"""By the number of the request. Flow control, special characters and an empty EEPROM need nothing."""
