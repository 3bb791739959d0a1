"""The descriptors of a device with one vendor interface (USB 2.0, chapter 9)."""

import struct
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from drivers.ports.names import PRODUCT, VENDOR

IN = 0x81
OUT = 0x01
"""Addresses of the bulk endpoints."""
ENGLISH: Final = 0x0409
GET_STATUS = 0x00
GET_DESCRIPTOR = 0x06
GET_CONFIGURATION = 0x08
TO_HOST: Final = 0x80


@dataclass(frozen=True, slots=True)
class Identity:
    """`packet` is the most bytes that one bulk packet holds."""

    serial: str
    vendor: int = VENDOR
    product: int = PRODUCT
    packet: int = 64

    @property
    def device(self) -> bytes:
        return struct.pack(
            "<BBHBBBBHHHBBBB", 18, 1, 0x0200, 0, 0, 0, 64, self.vendor, self.product, 0x0100, 1, 2, 3, 1
        )

    @property
    def configuration(self) -> bytes:
        """With the one interface and its endpoints."""
        ends = b"".join(struct.pack("<BBBBHB", 7, 5, address, 2, self.packet, 0) for address in (IN, OUT))
        interface = struct.pack("<BBBBBBBBB", 9, 4, 0, 0, 2, 0xFF, 0, 0, 0)
        length = 9 + len(interface) + len(ends)
        return struct.pack("<BBHBBBBB", 9, 2, length, 1, 1, 0, 0x80, 50) + interface + ends

    def string(self, index: int) -> bytes | None:
        """Index 0 has the languages. None: there is no such string."""
        texts = ("", "Tableside", "Simulated device", self.serial)
        if not 0 <= index < len(texts):
            return None
        body = struct.pack("<H", ENGLISH) if index == 0 else texts[index].encode("utf-16-le")
        return struct.pack("BB", len(body) + 2, 3) + body

    def answer(self, setup: bytes) -> bytes | None:
        """The answer to a standard request of 8 bytes; None: the device stalls."""
        kind, request, value, _index, length = struct.unpack("<BBHHH", setup)
        if kind != TO_HOST:
            return None
        answers: Mapping[int, Callable[[], bytes | None]] = {
            GET_STATUS: lambda: b"\0\0",
            GET_DESCRIPTOR: lambda: self._descriptor(value >> 8, value & 0xFF),
            GET_CONFIGURATION: lambda: b"\1",
        }
        response = answers[request]() if request in answers else None
        return None if response is None else response[:length]

    def _descriptor(self, kind: int, index: int) -> bytes | None:
        if kind == 3:
            return self.string(index)
        return {1: self.device, 2: self.configuration}.get(kind)
