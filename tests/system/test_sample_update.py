"""`tableside device update` puts firmware into the sample shoe in C, which loses its power meanwhile."""

import asyncio
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from controller.demo.processes import DIES_WITH_US
from controller.demo.table import KINDS
from drivers.conformance.wire import PortWire
from drivers.key_files import key_text, make_key, read_key, store_key
from drivers.link.facts import Bookmark, Expected
from drivers.link.host import HostLink
from drivers.ports.opening import open_port
from drivers.protocol.codes import DeviceClass
from drivers.update.image import FirmwareUpdate, serialize, sign
from drivers.update.signing import public_key
from tests.conformance.firmware import programs
from tests.controller.commands.updates import PASSWORDS
from tests.fixtures.hired import hire
from tests.fixtures.waiting import PATIENCE, until

SERIAL: Final = "SHOE-0001"
VERSION: Final = 7
IMAGE: Final = bytes(range(256)) * 100
MAKER: Final = bytes(range(32))


def test_firmware_is_put_into_a_shoe_that_loses_its_power(tmp_path: Path) -> None:
    store_key(make_key(), tmp_path / "shoe.key")
    (tmp_path / "maker.pub").write_text(key_text(public_key(MAKER)))
    update = FirmwareUpdate(sign(IMAGE, DeviceClass.SHOE, "sim", VERSION, MAKER), IMAGE)
    (tmp_path / "shoe.update").write_bytes(serialize(update))
    (tmp_path / "table.toml").write_text(configuration(tmp_path))
    hire(tmp_path)
    with updating(tmp_path) as said:
        with shoe(tmp_path):
            assert any(" 30 %" in line for line in said)
        with shoe(tmp_path):
            assert any(f"version {VERSION} runs, confirmed" in line for line in said)
    with shoe(tmp_path):
        assert asyncio.run(answers(tmp_path, PATIENCE))
    damage(tmp_path / "shoe.memory.flash")
    with shoe(tmp_path):
        assert not asyncio.run(answers(tmp_path, 1.0)), "its boot loader starts no damaged image"


async def answers(folder: Path, within: float) -> bool:
    """Whether the shoe answers a Hello within so many seconds."""
    wire = PortWire(lambda: open_port(str(folder / "shoe.port")))
    await wire.open()
    try:
        key = read_key(folder / "shoe.key")
        host = HostLink(
            Expected(DeviceClass.SHOE, SERIAL), Bookmark(), os.urandom, 0.0, lambda: True, key=key
        )
        wire.write(host.take(0.0))
        return await wire.read(wire.now() + within) != b""
    finally:
        await wire.close()


def damage(flash: Path) -> None:
    """A bit of the image flips."""
    content = bytearray(flash.read_bytes())
    content[content.index(IMAGE)] ^= 1
    flash.write_bytes(content)


@contextmanager
def updating(folder: Path) -> Iterator[Iterator[str]]:
    """The command; its lines as it prints them."""
    names = ("--who", "A. Smith", "--second", "B. Jones", "--maker", str(folder / "maker.pub"))
    words = ("update", "shoe", str(folder / "shoe.update"), "--config", str(folder / "table.toml"), *names)
    with subprocess.Popen(
        [*DIES_WITH_US, sys.executable, "-u", "-m", "controller", *words],
        stdin=-1,
        stdout=-1,
        stderr=-2,
        text=True,
    ) as process:
        assert process.stdin is not None
        process.stdin.write(PASSWORDS)
        process.stdin.flush()
        assert process.stdout is not None
        try:
            yield iter(process.stdout)
            assert process.wait(PATIENCE) == 0
        finally:
            process.kill()


@contextmanager
def shoe(folder: Path, **more: Path) -> Iterator[None]:
    """The sample, until it is killed."""
    options: dict[str, object] = {
        "link": folder / "shoe.port",
        "control": folder / "shoe.control",
        "memory": folder / "shoe.memory",
        "key": folder / "shoe.key",
        "maker": folder / "maker.pub",
        "serial": SERIAL,
        "speed": "max",
        "decks": 6,
        **more,
    }
    words = [word for name, value in options.items() for word in (f"--{name}", str(value))]
    with subprocess.Popen([*DIES_WITH_US, programs() / "tsl-sample", "--class", "shoe", *words]) as process:
        try:
            until((folder / "shoe.control").exists)
            yield
        finally:
            process.kill()
            process.wait(PATIENCE)
    for name in ("shoe.port", "shoe.control"):
        (folder / name).unlink()


def configuration(folder: Path) -> str:
    """A table whose shoe is the sample; nobody is at the other ports."""
    table = '[table]\nname = "Bench"\ngame = "easy-jack"\n[options]\ndecks = 6\n'
    journal = f'[journal]\npath = "{folder / "journal.sqlite"}"\n'
    return table + journal + "".join(device(folder, kind) for kind in KINDS)


def device(folder: Path, kind: str) -> str:
    seal = f'key = "{folder / "shoe.key"}"' if kind == "shoe" else 'seal = "none"'
    serial = SERIAL if kind == "shoe" else f"NONE-{kind}"
    return f'[devices.{kind}]\nport = "{folder / kind}.port"\nserial = "{serial}"\n{seal}\n'
