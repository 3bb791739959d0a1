"""A table with one simulated display whose maker key we hold, and `tableside device update` on it."""

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from controller.config import read
from controller.daemon.first_event import started_event
from controller.journal.history import History
from controller.journal.journal import Journal
from controller.table.recovery import recover
from controller.table.state.table_state import TableState
from drivers.key_files import store_public
from drivers.protocol.codes import DeviceClass
from drivers.update.image import FirmwareUpdate, serialize
from drivers.update.maker_key import SignedMakerKey, sign_maker_key
from drivers.update.maker_key import serialize as serialize_key
from drivers.update.signing import public_key
from tests.drivers.update.desk import MAKER, ROOT, made
from tests.fixtures.access_desk import PASSWORD
from tests.fixtures.device_control import Hand
from tests.fixtures.hired import hire
from tests.fixtures.waiting import PATIENCE

CONFIG = """
[table]
name = "Table 7"
game = "easy-jack"
[journal]
path = "journal"
[devices.shoe]
port = "shoe.port"
serial = "SHOE-1"
adapter = "bee-tek"
[devices.sensors]
port = "sensors.port"
serial = "SENSORS-1"
seal = "none"
[devices.console]
port = "console.port"
serial = "CONSOLE-1"
seal = "none"
[devices.display]
port = "{folder}/display.port"
serial = "DISPLAY-1"
seal = "none"
"""
BIG = bytes(range(256)) * 100
"""134 blocks."""
NEXT = bytes(range(64, 96))
"""The private key that the maker uses after MAKER."""
PASSWORDS = f"{PASSWORD}\n{PASSWORD}\n"
"""What both persons type."""


class Site:
    """A folder with everything for an update."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.config, self.image, self.maker = folder / "t.toml", folder / "fw.update", folder / "maker.pub"
        self.root, self.maker_key = folder / "root.pub", folder / "next.pub.signed"
        self.config.write_text(CONFIG.format(folder=folder))
        self.put(made(image=BIG))
        store_public(public_key(MAKER), self.maker)
        store_public(public_key(ROOT), self.root)
        self.put_key(sign_maker_key(public_key(NEXT), DeviceClass.DISPLAY, "sim", 1, ROOT))
        hire(folder)

    def put(self, update: FirmwareUpdate) -> None:
        """The file to install."""
        self.image.write_bytes(serialize(update))

    def put_key(self, signed: SignedMakerKey) -> None:
        """The maker's key to bring."""
        self.maker_key.write_bytes(serialize_key(signed))

    def arguments(self, device: str = "display", **other: str) -> list[str]:
        """The arguments of the command that updates."""
        return ["update", device, str(self.image), *self._options(other)]

    def key_arguments(self, device: str = "display", **other: str) -> list[str]:
        """The arguments of the command that brings a maker's key."""
        return ["device", "replace-maker-key", device, str(self.maker_key), *self._options(other)]

    def _options(self, other: dict[str, str]) -> list[str]:
        options = {"config": str(self.config), "who": "A. Smith", "second": "B. Jones"} | other
        return [word for name, value in options.items() for word in (f"--{name}", value)]

    @contextmanager
    def switched_on(self, baud: int = 0) -> Iterator[Hand]:
        """With the device running."""
        folder = self.folder
        program = [sys.executable, "-m", "drivers.sim", "display", "--serial", "DISPLAY-1", "--speed", "max"]
        places = {"link": "port", "control": "control", "memory": "memory"}
        options = [word for name, end in places.items() for word in (f"--{name}", f"{folder}/display.{end}")]
        keys = ["--maker", str(self.maker), "--root", str(self.root)]
        with subprocess.Popen([*program, *options, *keys, "--baud", str(baud)]) as process:
            try:
                with Hand(folder / "display.control") as hand:
                    yield hand
            finally:
                process.kill()

    @contextmanager
    def updating(self) -> Iterator[subprocess.Popen[str]]:
        """The real command, running."""
        command = [sys.executable, "-m", "controller", *self.arguments()]
        pipe = subprocess.PIPE
        with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, text=True) as process:
            try:
                assert process.stdin
                process.stdin.write(PASSWORDS)
                process.stdin.flush()
                yield process
            finally:
                process.kill()

    def update(self) -> tuple[int, str]:
        """The real command to its end: exit status and output."""
        with self.updating() as process:
            said = "".join(process.communicate(timeout=PATIENCE))
            return process.returncode, said

    def firmware(self) -> list[dict[str, Any]]:
        """The update rows of the journal."""
        return self.rows("firmware")

    def rows(self, kind: str) -> list[dict[str, Any]]:
        """The rows of a kind; read as the product reads them, without writing."""
        rows = (entry.content for entry in History(self.folder / "journal").rows())
        return [json.loads(row.body) for row in rows if row.kind == kind]

    def replayed(self) -> TableState:
        """The state that a daemon would start with."""
        with Journal(self.folder / "journal") as journal:
            return recover(journal, started_event(read(self.config)))
