"""The simulated converter, and the protocol by which a guest reaches it, without a guest."""

import asyncio
import struct

import pytest

from tests.guest.usb.ftdi import STATUS, Ftdi
from tests.guest.usb.function import TO_HOST, Setup
from tests.guest.usb.redir import (
    BULK,
    CAPABILITIES,
    FIRST_HEADER,
    HEADER,
    HELLO,
    Kind,
    RedirectedDevice,
    Status,
)

LINE_OF_TEXT = b"a frame of a device, longer than the packet of sixty-two bytes that the chip has"


def setup(request: int, value: int = 0, index: int = 0, length: int = 0) -> Setup:
    return Setup(TO_HOST | 0x40 if length else 0x40, request, value, index, length)


def packets(data: bytes) -> list[tuple[int, int, bytes]]:
    """Kind, id and body of each packet after the hello."""
    _kind, size, _number = FIRST_HEADER.unpack_from(data)
    data = data[FIRST_HEADER.size + size :]
    found = []
    while data:
        kind, size, number = HEADER.unpack_from(data)
        found.append((kind, number, data[HEADER.size : HEADER.size + size]))
        data = data[HEADER.size + size :]
    return found


class Host:
    """QEMU's end."""

    def __init__(self, function: Ftdi) -> None:
        self.device = RedirectedDevice(function)
        function.plug(self.device.pump)
        hello = HELLO.pack(b"QEMU", CAPABILITIES)
        self.device.feed(FIRST_HEADER.pack(Kind.HELLO, len(hello), 0) + hello)
        self.device.pump()
        self.greeting = packets(self.device.take())

    def send(self, kind: Kind, number: int, body: bytes = b"") -> None:
        for byte in HEADER.pack(kind, len(body), number) + body:  # any split of the bytes is the same
            self.device.feed(bytes([byte]))

    def ask_for(self, number: int, endpoint: int, length: int, data: bytes = b"") -> None:
        self.send(Kind.BULK_PACKET, number, BULK.pack(endpoint, 0, length, 0, 0) + data)

    def answers(self) -> list[tuple[int, int, bytes]]:
        """Id, status and bytes of each bulk transfer that has ended."""
        data, found = self.device.take(), []
        while data:
            _kind, size, number = HEADER.unpack_from(data)
            body = data[HEADER.size : HEADER.size + size]
            found.append((number, BULK.unpack_from(body)[1], body[BULK.size :]))
            data = data[HEADER.size + size :]
        return found


@pytest.mark.parametrize(
    ("value", "index", "baud"),
    [(0x001A, 0, 115_384), (0x4138, 0, 9600), (0, 0, 3_000_000), (1, 0, 2_000_000)],
)
def test_a_divisor_stands_for_the_rate_that_the_kernel_meant(value: int, index: int, baud: int) -> None:
    chip = Ftdi("X")
    chip.control(setup(3, value, index))
    assert chip.line.baud == baud


async def test_a_transfer_waits_for_the_latency_timer_and_begins_each_packet_with_the_status() -> None:
    chip = Ftdi("X")
    rung = asyncio.Event()
    chip.plug(rung.set)
    chip.control(setup(9, 1))
    assert chip.control(setup(10, length=1)) == b"\x01"
    chip.write(LINE_OF_TEXT)
    rung.clear()
    assert chip.give(512) is None
    await rung.wait()
    given = chip.give(512)
    assert given == STATUS + LINE_OF_TEXT[:62] + STATUS + LINE_OF_TEXT[62:]
    assert chip.give(512) is None


async def test_a_transfer_that_is_full_does_not_wait() -> None:
    chip = Ftdi("X")
    chip.write(bytes(124))
    given = chip.give(128)
    assert given is not None
    assert len(given) == 128


async def test_a_purge_drops_what_has_not_been_fetched() -> None:
    chip = Ftdi("X")
    chip.write(bytes(124))
    chip.control(setup(0, 1))
    assert chip.give(128) is None


async def test_transfers_of_an_endpoint_end_in_their_order_and_a_cancelled_one_is_answered() -> None:
    chip = Ftdi("X")
    host = Host(chip)
    kinds = [kind for kind, _number, _body in host.greeting]
    assert kinds == [Kind.INTERFACE_INFO, Kind.EP_INFO, Kind.DEVICE_CONNECT]
    for number in (7, 8, 9):
        host.ask_for(number, chip.bulk_in, 64)
    assert host.answers() == []
    host.send(Kind.CANCEL_DATA_PACKET, 8)
    assert host.answers() == [(8, Status.CANCELLED, b"")]
    chip.write(bytes(62) + b"x" * 62)
    assert host.answers() == [
        (7, Status.SUCCESS, STATUS + bytes(62)),
        (9, Status.SUCCESS, STATUS + b"x" * 62),
    ]


async def test_bytes_of_the_host_reach_the_line() -> None:
    chip = Ftdi("X")
    host = Host(chip)
    host.ask_for(1, chip.bulk_out, 3, b"abc")
    assert host.answers() == [(1, Status.SUCCESS, b"")]
    assert chip.take() == b"abc"


def test_a_descriptor_says_which_chip_it_is() -> None:
    chip = Ftdi("SHOE-1")
    device = chip.control(Setup(TO_HOST, 6, 0x0100, 0, 18))
    assert device is not None
    assert struct.unpack_from("<HHH", device, 8) == (0x0403, 0x6001, 0x0600)
    text = chip.control(Setup(TO_HOST, 6, 0x0303, 0x0409, 255))
    assert text is not None
    assert text[2:].decode("utf-16-le") == "SHOE-1"
    assert chip.control(Setup(TO_HOST, 6, 0x0600, 0, 10)) is None
