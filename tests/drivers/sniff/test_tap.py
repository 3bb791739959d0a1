"""A tap between two ptys: all bytes pass in both directions and are shown; each end is reported."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path

import pytest

from drivers.errors import Absent
from drivers.ports.opening import open_port
from drivers.sniff.tap import Tap, listen
from tests.fixtures.wires import PtyFarEnd, arrived, exactly, until

Heard = list[tuple[str, bytes]]


@asynccontextmanager
async def tapped(folder: Path) -> AsyncIterator[tuple[PtyFarEnd, Path, Heard, "asyncio.Task[None]"]]:
    """The device's end, the offered port, the traffic, the running tap."""
    far, heard = PtyFarEnd(folder / "port"), list[tuple[str, bytes]]()
    transport = await open_port(str(folder / "port"))
    try:
        with Tap(transport, folder / "tapped", lambda *each: heard.append(each)) as tap:
            work = asyncio.create_task(tap.run())
            yield far, folder / "tapped", heard, work
            work.cancel()
            await asyncio.wait({work})
    finally:
        await transport.close()
        far.hang_up()


async def test_all_that_is_said_passes_and_is_heard(tmp_path: Path) -> None:
    async with tapped(tmp_path) as (far, port, heard, _):
        host = await open_port(str(port))
        host.write(b"\x00who\x00")
        assert await exactly(far.take, 5) == b"\x00who\x00"
        far.write(bytes(range(256)))
        assert await arrived(host, 256) == bytes(range(256))
        await host.close()
    assert heard[0] == ("to device", b"\x00who\x00")
    assert b"".join(data for way, data in heard if way == "to host") == bytes(range(256))


async def test_a_device_that_says_nothing_for_long_does_not_end_the_tap(tmp_path: Path) -> None:
    async with tapped(tmp_path) as (far, port, _, work):
        host = await open_port(str(port))
        for _ in range(20):
            host.write(b"who")
            assert await exactly(far.take, 3) == b"who"
        assert not work.done()
        await host.close()


async def test_an_offered_port_is_gone_with_the_tap(tmp_path: Path) -> None:
    async with tapped(tmp_path) as (_, port, _, _):
        assert port.is_symlink()
        host = await open_port(str(port))
    with pytest.raises(Absent):
        await until(lambda: host.read() == b"never")
    await host.close()
    assert not port.is_symlink()


async def test_nobody_reading_holds_nothing_up(tmp_path: Path) -> None:
    async with tapped(tmp_path) as (far, _, heard, _):
        for number in range(1, 41):
            far.write(b"x" * 1000)
            await until(partial(passed, heard, 1000 * number))


def passed(heard: Heard, size: int) -> bool:
    return sum(len(data) for _, data in heard) >= size


async def test_a_device_that_is_unplugged_ends_the_tap(tmp_path: Path) -> None:
    async with tapped(tmp_path) as (far, _, _, work):
        far.hang_up()
        with pytest.raises(Absent, match="is gone"):
            await work


async def test_a_name_that_is_taken_stays_as_it_is(tmp_path: Path) -> None:
    taken = tmp_path / "tapped"
    taken.write_text("mine")
    with pytest.raises(Absent, match="tapped cannot be offered as a port: File exists"):
        async with tapped(tmp_path):
            raise AssertionError("it was offered")
    assert taken.read_text() == "mine"


async def test_a_listener_writes_nothing_to_the_port(tmp_path: Path) -> None:
    far, heard = PtyFarEnd(tmp_path / "port"), list[tuple[str, bytes]]()
    transport = await open_port(str(tmp_path / "port"))
    work = asyncio.create_task(listen(transport, lambda *each: heard.append(each)))
    far.write(b"\x05\x31")
    await until(lambda: b"".join(data for _, data in heard) == b"\x05\x31")
    assert {way for way, _ in heard} == {"unknown"}
    assert far.take() == b""
    far.hang_up()
    with pytest.raises(Absent):
        await work
    await transport.close()
