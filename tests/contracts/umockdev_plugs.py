"""What udev and libusb report about plugs, on umockdev's bus; run by test_over_umockdev.py."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from drivers.errors import Absent
from drivers.ports.hotplug import Plug, watch_plugs
from drivers.ports.listing import find_ports
from drivers.ports.names import PRODUCT, VENDOR, ByPath
from drivers.ports.opening import open_port
from drivers.ports.transport import Transport
from drivers.sim.usb.bus import Bus
from drivers.sim.usb.descriptors import IN, OUT, Identity
from drivers.sim.usb.gadget import Gadget
from tests.drivers.usb_wires import bus, by_serial
from tests.fixtures.wires import arrived, exactly, until


@pytest.fixture
async def events() -> AsyncIterator[list[Plug]]:
    news: list[Plug] = []
    with watch_plugs(news.append, lambda _why: None):
        yield news


@contextmanager
def plugged(serial: str, socket: int = 1) -> Iterator[Gadget]:
    gadget = Gadget(Identity(serial))
    bus().plug(gadget, socket)
    try:
        yield gadget
    finally:
        bus().unplug(socket)


async def test_plugs_are_told_with_the_identity_of_the_port(events: list[Plug]) -> None:
    with plugged("SN-7", socket=3):
        await until(lambda: len(events) == 1)
    await until(lambda: len(events) == 2)
    assert [plug.action for plug in events] == ["plugged", "unplugged"]
    for plug in events:
        assert plug.node.startswith("/dev/bus/usb/001/")
        assert (plug.path, plug.serial) == (Bus.id_path(3), "SN-7")
        assert (plug.vendor, plug.product) == (f"{VENDOR:04x}", f"{PRODUCT:04x}")
        assert plug.ignored


async def test_who_hears_of_a_plug_can_open_it_at_once() -> None:
    opened: list[asyncio.Task[Transport]] = []

    def open_it(plug: Plug) -> None:
        if plug.action == "plugged":
            opened.append(asyncio.create_task(open_port(str(ByPath(plug.path)))))

    with watch_plugs(open_it, lambda _why: None), plugged("SN-1", socket=2):
        await until(lambda: bool(opened))
        port = await opened[0]
        await port.close()


async def test_news_end_with_the_context(events: list[Plug]) -> None:
    heard: list[Plug] = []
    with watch_plugs(heard.append, lambda _why: None):
        pass
    with plugged("SN-1"):
        await until(lambda: len(events) == 1)
    assert not heard


async def test_a_missing_udev_is_reported_once(tmp_path: Path) -> None:
    said: list[str] = []
    with watch_plugs(lambda _plug: None, said.append, control=tmp_path / "control"):
        assert said == ["there may be no news of plugs, ports are tried each second: udev does not run here"]
    (tmp_path / "control").touch()
    with watch_plugs(lambda _plug: None, said.append, control=tmp_path / "control"):
        assert len(said) == 1


async def test_each_of_two_devices_is_found_by_its_names() -> None:
    with plugged("SN-1", socket=1) as first, plugged("SN-2", socket=2) as second:
        for name, gadget in (
            (by_serial(first), first),
            (by_serial(second), second),
            (str(ByPath(Bus.id_path(1))), first),
            (str(ByPath(Bus.id_path(2))), second),
        ):
            port = await open_port(name)
            gadget.write(gadget.identity.serial.encode())
            assert await arrived(port, 4) == gadget.identity.serial.encode()
            await port.close()


async def test_two_devices_of_one_name_are_told_apart_by_their_sockets_only() -> None:
    with plugged("SN-1", socket=1) as one, plugged("SN-1", socket=2):
        with pytest.raises(Absent, match="2 devices have this name"):
            await open_port(by_serial(one))
        port = await open_port(str(ByPath(Bus.id_path(2))))
        await port.close()


async def test_a_missing_device_is_named_with_the_reason() -> None:
    with pytest.raises(
        Absent, match="port usb://1209:0001/SN-9 cannot be opened: no such device is plugged in"
    ):
        await open_port("usb://1209:0001/SN-9")
    with pytest.raises(Absent, match="udev has no device on this path"):
        await open_port("usb://path/pci-0000:00:14.0-usb-0:9")


async def test_the_list_of_ports_has_both_names() -> None:
    with plugged("SN-1") as gadget:
        [port] = [port for port in find_ports() if port.usb]
        assert (port.port, port.names) == (by_serial(gadget), (str(ByPath(Bus.id_path(1))),))
        assert not port.meddled


async def test_halted_endpoints_are_cleared() -> None:
    with plugged("SN-1") as gadget:
        gadget.halted |= {IN, OUT}
        port = await open_port(by_serial(gadget))
        port.write(b"lost")
        await until(lambda: port.counts.get("stalls") == 2 and not gadget.halted)
        port.write(b"heard")
        gadget.write(b"heard, too")
        assert await exactly(gadget.take, 5) == b"heard"
        assert await arrived(port, 10) == b"heard, too"
        await port.close()


async def test_a_port_is_ours_alone() -> None:
    with plugged("SN-1") as gadget:
        port = await open_port(by_serial(gadget))
        with pytest.raises(Absent, match="another process or a driver of the kernel has its interface"):
            await open_port(str(ByPath(Bus.id_path(1))))
        await port.close()
        again = await open_port(by_serial(gadget))
        await again.close()
