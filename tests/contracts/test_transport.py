"""What every Transport does, over every wire."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from drivers.errors import Absent
from drivers.ports.opening import open_port
from drivers.ports.transport import BACKLOG, Transport
from tests.drivers.usb_wires import ALL_WIRES
from tests.fixtures.waiting import PATIENCE
from tests.fixtures.wires import (
    FarEnd,
    PtyFarEnd,
    SocketFarEnd,
    Wire,
    arrived,
    exactly,
    pty_wire,
    socket_wire,
    until,
)

EVERY_BYTE = bytes(range(256))


@pytest.fixture(params=ALL_WIRES)
async def wire(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Wire]:
    async with ALL_WIRES[request.param](tmp_path) as made:
        yield made


@pytest.fixture
def port(wire: Wire) -> Transport:
    return wire[0]


@pytest.fixture
def far(wire: Wire) -> FarEnd:
    return wire[1]


async def _until_gone(port: Transport) -> None:
    lost = asyncio.get_running_loop().create_future()

    def ready() -> None:
        try:
            port.read()
        except Absent as error:
            if not lost.done():
                lost.set_result(error)

    port.watch(ready)
    async with asyncio.timeout(PATIENCE):
        await lost


async def test_every_byte_arrives_unchanged(port: Transport, far: FarEnd) -> None:
    port.write(EVERY_BYTE)
    assert await exactly(far.take, 256) == EVERY_BYTE
    far.write(EVERY_BYTE)
    assert await arrived(port, 256) == EVERY_BYTE


async def test_read_without_bytes_is_empty_however_often(port: Transport, far: FarEnd) -> None:
    for _ in range(100):
        assert port.read() == b""
    far.write(b"one")
    assert await arrived(port, 3) == b"one"
    assert port.counts == {}


async def test_watcher_is_called_for_each_arrival(port: Transport, far: FarEnd) -> None:
    arrived = bytearray()
    port.watch(lambda: arrived.extend(port.read()))
    far.write(b"one")
    await until(lambda: arrived == b"one")
    far.write(b"two")
    await until(lambda: arrived == b"onetwo")


async def test_bytes_that_came_before_the_watcher_are_not_forgotten(port: Transport, far: FarEnd) -> None:
    far.write(b"early")
    arrived = bytearray()
    port.watch(lambda: arrived.extend(port.read()))
    await until(lambda: arrived == b"early")


async def test_unplugging_wakes_the_watcher_and_raises(port: Transport, far: FarEnd) -> None:
    far.hang_up()
    await _until_gone(port)
    with pytest.raises(Absent, match=r"memory|port|socket://|usb://"):
        port.read()
    with pytest.raises(Absent):
        port.write(b"x")


async def test_writing_to_nobody_returns_and_is_bounded(port: Transport, far: FarEnd) -> None:
    block = b"\x55" * 4096
    for _ in range(1000):  # 4 MB that nobody reads
        port.write(block)
    kept = 4_096_000 - port.counts["dropped_bytes"]
    assert BACKLOG <= kept < 4_096_000
    assert len(await exactly(far.take, kept)) == kept


async def test_what_is_kept_leaves_in_order(port: Transport, far: FarEnd) -> None:
    numbers = b"".join(number.to_bytes(4, "big") for number in range(7000))
    for start in range(0, len(numbers), 2000):
        port.write(numbers[start : start + 2000])
    arrived = await exactly(far.take, 16_000)
    assert numbers.startswith(arrived)


async def test_closed_port_is_silent(port: Transport) -> None:
    called = 0

    def ready() -> None:
        nonlocal called
        called += 1

    port.watch(ready)
    await asyncio.sleep(0)
    await port.close()
    await port.close()
    called = 0
    with pytest.raises(Absent):
        port.read()
    with pytest.raises(Absent):
        port.write(b"x")
    await asyncio.sleep(0)
    assert called == 0


async def test_missing_port_is_named(tmp_path: Path) -> None:
    with pytest.raises(Absent, match=r"port .*/nothing cannot be opened: .*No such file"):
        await open_port(str(tmp_path / "nothing"))


async def test_refused_connection_is_named() -> None:
    far = SocketFarEnd()
    url = far.url
    far.hang_up()
    with pytest.raises(Absent, match="refused"):
        await open_port(url)


@pytest.mark.parametrize("name", ["loop://", "rfc2217://127.0.0.1:1", "nonsense://x"])
async def test_other_kinds_of_port_are_named(name: str) -> None:
    with pytest.raises(Absent, match="allowed: "):
        await open_port(name)


async def test_a_file_is_no_port(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(Absent, match="cannot be opened"):
        await open_port(str(tmp_path / "file"))


async def test_a_port_is_ours_alone(tmp_path: Path) -> None:
    async with pty_wire(tmp_path):
        with pytest.raises(Absent, match="lock"):
            await open_port(str(tmp_path / "port"))


async def test_port_is_named_by_its_symlink_and_opens_again_after_it_moved(tmp_path: Path) -> None:
    async with pty_wire(tmp_path) as (port, far):
        assert port.name == str(tmp_path / "port")
        far.hang_up()
        async with pty_wire(tmp_path) as (moved, other):
            other.write(b"back")
            assert await arrived(moved, 4) == b"back"


async def test_reset_connection_leaves_nothing_open(tmp_path: Path) -> None:
    async with socket_wire(tmp_path) as (port, far):
        port.write(b"unread")  # closing with bytes unread resets the connection
        far.hang_up()
        await _until_gone(port)


async def test_open_that_is_given_up_closes_the_port_later(tmp_path: Path) -> None:
    far = PtyFarEnd(tmp_path / "port")
    opening = asyncio.create_task(open_port(str(tmp_path / "port")))
    await asyncio.sleep(0)
    opening.cancel()
    with pytest.raises(asyncio.CancelledError):
        await opening
    await asyncio.get_running_loop().shutdown_default_executor()  # now the thread has opened it
    await asyncio.sleep(0)
    assert not _slaves_open()
    far.hang_up()


def _slaves_open() -> list[str]:
    links = [str(entry.readlink()) for entry in Path("/proc/self/fd").iterdir() if entry.is_symlink()]
    return [link for link in links if link.startswith("/dev/pts/")]
