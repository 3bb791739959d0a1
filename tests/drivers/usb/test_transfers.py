"""Transfers that fail, as a table; what is counted, what is the end, and what the device is sent."""

import asyncio
import errno
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from drivers.errors import Absent
from drivers.ports.names import BySerial
from drivers.ports.transport import BACKLOG
from drivers.ports.usb_port import UsbTransport, open_usb
from drivers.ports.usb_transfers import MOST_FAILURES
from drivers.sim.usb.descriptors import IN, OUT, Identity
from drivers.sim.usb.gadget import ROOM, Gadget
from tests.drivers.usb_double import DoubleBackend
from tests.fixtures.wires import arrived, exactly, until

PACKET = 64
HARMLESS = [
    ("read", errno.EPIPE, "stalls"),
    ("read", errno.EOVERFLOW, "overflows"),
    ("read", errno.EIO, "line_errors"),
    ("read", errno.EPROTO, "line_errors"),
    ("read", errno.EINTR, "interrupted"),
    ("write", errno.EPIPE, "stalls"),
    ("write", errno.EIO, "line_errors"),
    ("write", errno.ETIMEDOUT, "timeouts"),
]
FINAL = [
    (errno.ENODEV, "it was unplugged"),
    (errno.ESHUTDOWN, "it was unplugged"),
    (errno.ENOENT, "it was unplugged"),
    (errno.ENOMEM, "Cannot allocate memory"),
]
STUBBORN = [
    (errno.EPIPE, "it stalls again and again"),
    (errno.EIO, "its transfers fail again and again: check the cable and the hub"),
    (errno.EOVERFLOW, "it sends more than its packets hold, again and again"),
]


class Spy(Gadget):
    """Records the transfers."""

    def __init__(self) -> None:
        super().__init__(Identity("S", packet=PACKET))
        self.transfers: list[int] = []

    def accept(self, data: bytes) -> bool:
        taken = super().accept(data)
        if taken:
            self.transfers.append(len(data))
        return taken


class Table:
    """A device on the double, and its port."""

    def __init__(self) -> None:
        self.gadget = Spy()
        self.backend = DoubleBackend(self.gadget)
        self.name = str(BySerial(self.gadget.identity.vendor, self.gadget.identity.product, "S"))

    @asynccontextmanager
    async def port(self) -> AsyncIterator[UsbTransport]:
        port = await open_usb(self.name, lambda: self.backend)
        try:
            yield port
        finally:
            await port.close()


@pytest.fixture
def table() -> Table:
    return Table()


async def gone(port: UsbTransport) -> str:
    """The reason, once it is gone."""
    lost: list[str] = []

    def ready() -> None:
        try:
            port.read()
        except Absent as error:
            lost.append(str(error))

    port.watch(ready)
    await until(lambda: bool(lost))
    return lost[0]


async def counted(port: UsbTransport, line_errors: int) -> None:
    await until(lambda: port.counts.get("line_errors") == line_errors)


@pytest.mark.parametrize(("operation", "number", "name"), HARMLESS)
async def test_a_failure_is_counted_and_the_next_bytes_arrive(
    table: Table, operation: str, number: int, name: str
) -> None:
    table.backend.plan(operation, number)
    async with table.port() as port:
        port.write(b"lost, perhaps")
        await until(lambda: port.counts.get(name) == 1)
        port.write(b"good")
        await until(lambda: table.gadget.take().endswith(b"good"))
        table.gadget.write(b"good, too")
        assert await arrived(port, 9) == b"good, too"
        assert dict(port.counts) == {name: 1}
        assert not table.gadget.halted


@pytest.mark.parametrize("operation", ["read", "write"])
@pytest.mark.parametrize(("number", "why"), FINAL)
async def test_the_end_has_a_reason(table: Table, operation: str, number: int, why: str) -> None:
    table.backend.plan(operation, number)
    async with table.port() as port:
        if operation == "write":
            port.write(b"x")
        assert await gone(port) == f"the device on port {table.name} is gone: {why}"
        with pytest.raises(Absent, match="is gone"):
            port.write(b"x")


@pytest.mark.parametrize(("number", "why"), STUBBORN)
async def test_what_fails_again_and_again_is_the_end(table: Table, number: int, why: str) -> None:
    table.backend.plan("read", *[number] * (MOST_FAILURES + 1))
    async with table.port() as port:
        assert (await gone(port)).endswith(why)


async def test_failures_between_good_transfers_are_not_added_up(table: Table) -> None:
    async with table.port() as port:
        for number in range(3):
            table.backend.plan("read", *[errno.EIO] * MOST_FAILURES)
            await counted(port, (number + 1) * MOST_FAILURES)
            table.gadget.write(b"good")
            assert await arrived(port, 4) == b"good"


async def test_a_stall_that_can_not_be_cleared_is_the_end(table: Table) -> None:
    table.backend.plan("read", errno.EPIPE)
    table.backend.plan("clear_halt", errno.ENODEV)
    async with table.port() as port:
        assert (await gone(port)).endswith("it was unplugged")


async def test_a_device_that_halts_both_ways_speaks_again(table: Table) -> None:
    async with table.port() as port:
        table.gadget.halted |= {IN, OUT}
        table.gadget.wake()
        port.write(b"lost")
        await until(lambda: port.counts.get("stalls") == 2)
        port.write(b"heard")
        assert await exactly(table.gadget.take, 5) == b"heard"


@pytest.mark.parametrize(
    ("size", "transfers"),
    [
        (1, [1]),
        (PACKET - 1, [PACKET - 1]),
        (PACKET, [PACKET, 0]),
        (PACKET + 1, [PACKET + 1]),
        (3 * PACKET, [3 * PACKET, 0]),
        (4096, [4096, 0]),
        (4096 + PACKET, [4096, 0, PACKET, 0]),
    ],
)
async def test_a_transfer_that_fills_its_last_packet_ends_with_an_empty_one(
    table: Table, size: int, transfers: list[int]
) -> None:
    async with table.port() as port:
        port.write(bytes(size))
        assert await exactly(table.gadget.take, size) == bytes(size)
        await until(lambda: len(table.gadget.transfers) >= len(transfers))
        assert table.gadget.transfers == transfers


async def test_an_empty_packet_that_was_not_taken_is_sent_later(table: Table) -> None:
    table.backend.plan("write", 0, errno.ETIMEDOUT)
    async with table.port() as port:
        port.write(bytes(PACKET))
        assert await exactly(table.gadget.take, PACKET) == bytes(PACKET)
        assert table.gadget.transfers == [PACKET, 0]
        assert port.counts == {"timeouts": 1}


async def test_a_last_word_is_sent_before_the_port_closes(table: Table) -> None:
    async with table.port() as port:
        port.write(b"goodbye")
    assert table.gadget.take() == b"goodbye"


async def test_a_device_is_held_up_while_nobody_reads(table: Table) -> None:
    """Its bytes wait here, then in its own buffer; beyond that it loses them itself, and knows."""
    async with table.port() as port:
        block = bytes(4096)
        for _ in range(100):
            table.gadget.write(block)
            await asyncio.sleep(0)
        await until(lambda: table.gadget.lost > 0)
        kept = 100 * len(block) - table.gadget.lost
        assert kept <= BACKLOG + 4096 + ROOM + 4096
        assert len(await arrived(port, kept)) == kept


async def test_what_does_not_fit_is_dropped_and_counted(table: Table) -> None:
    table.gadget.write(b"")
    async with table.port() as port:
        for _ in range(20):
            port.write(bytes(4000))
        assert port.counts["dropped_bytes"] >= 20 * 4000 - BACKLOG - ROOM - 4096
        assert port.counts["dropped_bytes"] % 4000 == 0
