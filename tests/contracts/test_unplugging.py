"""The plug of a USB device is pulled during any call: while it is opened, read, written or idle."""

import asyncio
from contextlib import suppress

import pytest

from drivers.errors import Absent
from drivers.ports.transport import Transport
from tests.drivers.usb_wires import ENDS, GadgetEnd
from tests.fixtures.wires import exactly, until

CALLS = 24
"""More calls than opening needs on any of them; from there on it reads and writes."""
BLOCK = bytes(range(256)) * 3


@pytest.fixture(params=ENDS)
def end(request: pytest.FixtureRequest) -> GadgetEnd:
    return ENDS[request.param]()


async def _pulled(end: GadgetEnd) -> str:
    """Opens, reads and writes until the device is gone; returns how far it came."""
    try:
        port = await end.open()
    except Absent:
        return "opening"
    try:
        await _gone(port, end)
    finally:
        await port.close()
    return "open"


async def _gone(port: Transport, end: GadgetEnd) -> None:
    lost: list[str] = []

    def ready() -> None:
        try:
            port.read()
        except Absent as error:
            lost.append(str(error))

    def chatter() -> bool:
        end.write(BLOCK)
        end.take()
        with suppress(Absent):
            port.write(BLOCK)
        return bool(lost)

    port.watch(ready)
    await until(chatter)
    assert lost[0].startswith(f"the device on port {end.name} is gone: it was unplugged")


async def test_a_plug_pulled_during_any_call_can_be_plugged_in_again(end: GadgetEnd) -> None:
    seen = set()
    for call in range(1, CALLS):
        end.pull_at(call)
        seen.add(await _pulled(end))
        end.hang_up()
        end.plug()
    assert seen == {"opening", "open"}
    port = await end.open()
    port.write(BLOCK)
    assert await exactly(end.take, len(BLOCK)) == BLOCK
    await port.close()
    end.hang_up()


async def test_a_plug_pulled_while_idle_wakes_the_reader(end: GadgetEnd) -> None:
    port = await end.open()
    lost = asyncio.Event()
    port.watch(lost.set)
    end.hang_up()
    await until(lost.is_set)
    with pytest.raises(Absent, match="unplugged"):
        port.read()
    await port.close()


async def test_a_plug_pulled_while_writes_are_blocked_wakes_the_reader(end: GadgetEnd) -> None:
    port = await end.open()
    lost = asyncio.Event()
    port.watch(lost.set)
    for _ in range(20):
        port.write(BLOCK * 5)
    end.hang_up()
    await until(lost.is_set)
    with pytest.raises(Absent, match="unplugged"):
        port.write(BLOCK)
    await port.close()


async def test_what_came_before_the_plug_was_pulled_is_read_first(end: GadgetEnd) -> None:
    port = await end.open()
    end.write(b"last words")
    arrived = bytearray()
    lost = asyncio.Event()

    def ready() -> None:
        try:
            arrived.extend(port.read())
        except Absent:
            lost.set()

    port.watch(ready)
    await until(lambda: bool(arrived))
    end.hang_up()
    await until(lost.is_set)
    assert arrived == b"last words"
    await port.close()
