"""An emulated board gets another key of its maker: from then on, and after a loss of power, it takes images
under that one only."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Final

import pytest

from drivers.conformance.operator import ControlSocketOperator
from drivers.conformance.probe import Probe
from drivers.conformance.subject import DeviceUnderTest
from drivers.conformance.wire import PortWire
from drivers.key_files import key_text, store_key
from drivers.messages import UpdateBegin
from drivers.ports.opening import open_port
from drivers.protocol.codes import DeviceClass, Status
from drivers.update.image import sign
from drivers.update.maker_key import sign_maker_key
from drivers.update.signing import public_key
from tests.drivers.conformance.rig import KEY, SERIAL
from tests.firmware.powered import powered
from tests.fixtures.waiting import PATIENCE

OLD: Final = bytes([1]) * 32
NEXT: Final = bytes([2]) * 32
ROOT: Final = bytes([3]) * 32
IMAGE: Final = bytes(1000)


def test_a_key_that_the_root_key_signed_replaces_the_makers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("drivers.conformance.probe.RESULT", PATIENCE)
    store_key(KEY, tmp_path / "shoe.key")
    (tmp_path / "maker.pub").write_text(key_text(public_key(OLD)))
    (tmp_path / "root.pub").write_text(key_text(public_key(ROOT)))
    words = ("--maker", str(tmp_path / "maker.pub"), "--root", str(tmp_path / "root.pub"), "--serial", SERIAL)
    with powered(tmp_path, "shoe", *words, "--speed", "max"):
        asyncio.run(probed(tmp_path, replaces))
    with powered(tmp_path, "shoe", *words, "--speed", "max"):
        asyncio.run(probed(tmp_path, trusts_the_next))


async def probed(folder: Path, act: Callable[[Probe], Awaitable[None]]) -> None:
    """Acts in a session with the board."""
    wire = PortWire(lambda: open_port(str(folder / "shoe.port")))
    hand = ControlSocketOperator(folder / "shoe.control")
    await hand.open()
    await wire.open()
    try:
        probe = Probe(wire, DeviceUnderTest(DeviceClass.SHOE, SERIAL, KEY), hand)
        await probe.open()
        await act(probe)
    finally:
        await wire.close()
        await hand.close()


async def replaces(probe: Probe) -> None:
    hardware = probe.hello.hardware
    for signer, status in ((OLD, Status.REFUSED), (ROOT, Status.DONE)):
        fresh = sign_maker_key(public_key(NEXT), DeviceClass.SHOE, hardware, 1, signer)
        await probe.order(fresh.action, status)
    await trusts_the_next(probe)


async def trusts_the_next(probe: Probe) -> None:
    await probe.order(announced(probe, OLD), Status.REFUSED)
    await probe.order(announced(probe, NEXT))


def announced(probe: Probe, maker: bytes) -> UpdateBegin:
    """The announcement of an image that this maker signed."""
    return sign(IMAGE, DeviceClass.SHOE, probe.hello.hardware, 7, maker).begin
