"""A table whose computer is a guest: its configuration and its keys, the package, and the devices at its USB
sockets."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from controller.demo.settings import DemoSettings
from controller.demo.table import MOST_LOSSES
from drivers.key_files import make_key, store_key
from drivers.ports.names import PRODUCT, VENDOR, BySerial
from drivers.sim.kinds import KINDS
from systemd.deb.build import QUICK, build
from systemd.deb.packages import TABLE
from systemd.deb.sources import ROOT, version
from tests.fixtures.waiting import until
from tests.guest.devices import serial
from tests.guest.machine import DIES_WITH_US, Guest

EPOCH: Final = 1_700_000_000
"""The age of the files of a package, in seconds of Unix time."""
CONFIG: Final = "/etc/tableside/table.toml"
STATE: Final = "/var/lib/tableside"
EXAMPLE: Final = ROOT / "examples" / "installed.toml"
CONFIGURE: Final = """
mkdir -p /etc/tableside
mkdir -p -m 700 /etc/tableside/keys
cp /mnt/in/table.toml /etc/tableside
cp /mnt/in/keys/* /etc/tableside/keys
chmod 600 /etc/tableside/keys/*
"""
INSTALL: Final = "DEBIAN_FRONTEND=noninteractive dpkg --force-unsafe-io --install /mnt/in/tableside.deb"


@dataclass(frozen=True, slots=True)
class Scene:
    """What is played, and how the devices are plugged in. `vendor`: those with a vendor interface; the others
    are behind serial converters."""

    settings: DemoSettings = field(default_factory=DemoSettings)
    vendor: tuple[str, ...] = ("shoe",)

    @property
    def decks(self) -> int:
        return self.settings.rules.options.decks

    def port(self, kind: str) -> str:
        """The device's `port` in the configuration."""
        if kind in self.vendor:
            return str(BySerial(VENDOR, PRODUCT, serial(kind)))
        return f"/dev/tableside/{serial(kind)}"

    def configuration(self) -> str:
        """That of the package's example, with this game and these ports."""
        text = EXAMPLE.read_text("utf-8").replace('"easy-jack"', f'"{self.settings.game}"')
        for kind in KINDS:
            text = text.replace(f'port = "/dev/tableside/{serial(kind)}"', f'port = "{self.port(kind)}"')
        return f"{text}\n[options]\ndecks = {self.decks}\n\n[flapping]\nlosses = {MOST_LOSSES}\n"


def package(out: Path, wanted: str = version()) -> Path:
    """Builds the package of the table in the folder `out`, with this version."""
    return build(TABLE, out, wanted, EPOCH, compression=QUICK)


def prepare(folder: Path, incoming: Path, scene: Scene, deb: Path) -> None:
    """Writes what the guest gets (`incoming`), and what the devices need (`folder`)."""
    keys = incoming / "keys"
    keys.mkdir(parents=True)
    for name in (*(f"{kind}.key" for kind in KINDS), "journal.seal"):
        store_key(make_key(), keys / name)
    for kind in KINDS:
        shutil.copy2(keys / f"{kind}.key", folder)
    (incoming / "table.toml").write_text(scene.configuration(), "utf-8")
    shutil.copy(deb, incoming / "tableside.deb")


def install(guest: Guest) -> None:
    """Installs the package on a computer whose table is configured; its service then starts."""
    guest.run(CONFIGURE)
    guest.run(INSTALL)
    guest.until("systemctl is-active tableside")


@contextmanager
def devices(folder: Path, scene: Scene) -> Iterator["subprocess.Popen[bytes]"]:
    """The devices, plugged in until the block ends. Their memories and what lies on the table stay."""
    words = [sys.executable, "-m", "tests.guest.devices", str(folder), "--seed", str(scene.settings.seed)]
    words += ["--decks", str(scene.decks), "--vendor", *scene.vendor]
    with (folder / "devices.log").open("ab") as log:
        process = subprocess.Popen(
            [*DIES_WITH_US, str(os.getpid()), *words], cwd=ROOT, stdout=log, stderr=log
        )
    try:
        until(lambda: process.poll() is not None or _all_there(folder, KINDS))
        assert process.poll() is None, (folder / "devices.log").read_text()
        yield process
    finally:
        process.terminate()
        process.wait()


def _all_there(folder: Path, kinds: Iterable[str]) -> bool:
    return all((folder / f"{kind}.control").exists() for kind in kinds)
