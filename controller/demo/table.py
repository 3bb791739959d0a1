"""Simulated devices and the daemon as processes, in one folder.

DemoTable ends every process that it started, and no other.
"""

import asyncio
import re
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import ClassVar, Self

from controller.demo.processes import DemoError, ProcessFolder
from controller.demo.reservations import free_port
from controller.demo.settings import TSL, DemoSettings
from controller.demo.staff import Member, staff
from controller.journal.signing import Signer
from controller.journal.trust import write_public
from controller.monitor.client import fetch_status
from controller.selftest.manifest import json_text, make_manifest
from drivers.key_files import make_key, read_key, store_key
from drivers.ports.names import PRODUCT, VENDOR, BySerial
from drivers.sim.usb import umockdev

KINDS = ("shoe", "shuffler", "sensors", "display", "console")
MOST_LOSSES = 1000
"""People who play with simulated devices pull cables more often than a real cable comes loose."""
_PAGE_STATUS = re.compile(rb"^STATUS=Page at", re.MULTILINE)


class DemoTable(ProcessFolder):
    """An asynchronous context in which the devices and the web server run. The caller starts and ends the
    daemon."""

    names: ClassVar[Mapping[str, str]] = {"web": "web server"}

    def __init__(self, folder: Path, settings: DemoSettings, lock: int | None = None) -> None:
        super().__init__(folder, lock)
        self.settings = settings
        self.devices: dict[str, asyncio.subprocess.Process] = {}
        self.daemon: asyncio.subprocess.Process | None = None
        self.web: asyncio.subprocess.Process | None = None
        self.web_port = settings.web_port or free_port()
        self.staff: tuple[Member, ...] = ()
        """People with accounts, after the context was entered."""

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.web_port}/"

    @property
    def config(self) -> Path:
        return self.folder / "table.toml"

    @property
    def journal(self) -> Path:
        return self.folder / "journal.sqlite"

    @property
    def manifest(self) -> Path:
        return self.folder / "manifest.json"

    def more_sections(self) -> tuple[str, ...]:
        """More sections of the configuration, as TOML."""
        return ()

    @property
    def shoe_log(self) -> Path:
        """The simulated shoe's own list of the cards that left."""
        return self.folder / "shoe.cards"

    def control(self, kind: str) -> Path:
        return self.folder / f"{kind}.control"

    def port(self, kind: str) -> Path:
        """The symlink to a device's pseudo-terminal, or the folder of its USB bus."""
        return self.folder / f"{kind}.port"

    def port_name(self, kind: str) -> str:
        """The device's `port` in the configuration."""
        if kind == "shoe" and self.settings.usb:
            return str(BySerial(VENDOR, PRODUCT, serial(kind)))
        if kind == "shoe" and self.settings.shoe_tcp is not None:
            return f"socket://127.0.0.1:{self.settings.shoe_tcp}"
        return str(self.port(kind))

    def key(self, kind: str) -> Path:
        return self.folder / "keys" / f"{kind}.key"

    async def __aenter__(self) -> Self:
        self.folder.mkdir(parents=True, exist_ok=True)
        self._write_files()
        try:
            await self._start_devices()
            pages = [self.start_web()] if self.settings.pages else []
            await asyncio.gather(*pages, *(self._wait_for_device(kind) for kind in KINDS))
        except BaseException:
            await self._end_all()
            raise
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._end_all()

    def _write_files(self) -> None:
        """Writes the files that the processes read, and removes sockets that killed processes left behind."""
        self.config.write_text(configuration(self))
        self.staff = self._make_staff(self.folder / "access.db")
        if self.settings.checked:
            self.manifest.write_text(json_text(make_manifest()))
        for kind in KINDS:
            store_key(make_key(), self.key(kind), replace=True)
            self.control(kind).unlink(missing_ok=True)
        if not self.key("journal").exists():  # the next demonstration in this folder goes on with its journal
            store_key(make_key(), self.key("journal"))
        if not (seal := self.folder / "keys" / "journal.seal").exists():
            store_key(make_key(), seal)
        write_public(self.folder / "journal.pub", Signer(read_key(self.key("journal"))).public)

    def _make_staff(self, accounts: Path) -> tuple[Member, ...]:
        return staff(accounts)

    async def _start_devices(self) -> None:
        for kind in KINDS:
            await self.start_device(kind)

    async def start_device(self, kind: str) -> None:
        """Switches a device on with the memory that it had."""
        self.devices[kind] = await self._spawn(kind, [*self._simulator(kind), *self._device_options(kind)])

    async def start_daemon(self) -> float:
        """Starts the daemon and returns the seconds until it was ready.

        Raises DemoError if it ends or stays silent instead.
        """
        seconds = await self.start_unshown_daemon()
        if self.web is not None:
            await self._until_shown()
        return seconds

    async def start_unshown_daemon(self) -> float:
        """As `start_daemon`, but does not wait until the page shows the table."""
        loop = asyncio.get_running_loop()
        started = loop.time()
        self.daemon = await self._start_service("daemon", self._command("run"))
        return loop.time() - started

    async def start_web(self) -> None:
        """Starts the web server, and returns when its page is up. Raises DemoError as `start_daemon` does."""
        self.web = await self._start_service("web", self._command("web"), _PAGE_STATUS)

    async def kill_web(self) -> None:
        """`kill -9`."""
        if self.web is not None:
            self.web.kill()
            await self.web.wait()
            self.web = None

    def _command(self, name: str) -> list[str]:
        return ["controller", name, "--config", str(self.config)]

    async def _until_shown(self) -> None:
        """Returns when the page shows the table, or that it is halted. Raises DemoError if the daemon ends
        first."""
        deadline = asyncio.get_running_loop().time() + self.patience
        while await asyncio.to_thread(fetch_status, "127.0.0.1", self.web_port) == "absent":
            if self.daemon is None or self.daemon.returncode is not None:
                raise DemoError(f"the daemon ended: {self.log_tail('daemon')}")
            if asyncio.get_running_loop().time() > deadline:
                raise DemoError(f"the page does not show the table: {self.log_tail('web')}")
            await asyncio.sleep(0.02)

    async def kill_daemon(self) -> None:
        """`kill -9`."""
        if self.daemon is not None:
            self.daemon.kill()
            await self.daemon.wait()
            self.daemon = None

    async def kill_device(self, kind: str) -> None:
        """`kill -9`. The device's memory stays, and so does the link to its port, which no process serves
        any more."""
        self.devices[kind].kill()
        await self.devices[kind].wait()
        self.control(kind).unlink(missing_ok=True)

    async def stop_daemon(self) -> None:
        """Asks the daemon to end, as a service manager does."""
        if self.daemon is not None:
            await self._end(self.daemon)
            self.daemon = None

    async def first_end(self) -> None:
        """Raises DemoError as soon as a service has ended."""
        await self._first_end({"daemon": self.daemon, "web": self.web})

    async def _spawn(self, name: str, module: list[str], **environment: str) -> asyncio.subprocess.Process:
        return await super()._spawn(name, module, **self._usb(name), **environment)

    def _wrapper(self, name: str) -> tuple[str, ...]:
        """The command that shows the shoe's USB bus to a process."""
        return (umockdev.WRAPPER,) if self._usb(name) else ()

    def _usb(self, name: str) -> dict[str, str]:
        """The environment with which a process creates or finds the shoe's USB bus."""
        if not self.settings.usb:
            return {}
        return {
            "shoe": {"TMPDIR": str(self.folder)},
            "daemon": {"UMOCKDEV_DIR": str(self.port("shoe").resolve())},
        }.get(name, {})

    def _simulator(self, kind: str) -> list[str]:
        return (
            ["drivers.sim.adapters", self.settings.shoe] if self._commercial(kind) else ["drivers.sim", kind]
        )

    def _commercial(self, kind: str) -> bool:
        return kind == "shoe" and self.settings.shoe != TSL

    def _device_options(self, kind: str) -> list[str]:
        scene = self.settings
        options = [
            "--link",
            str(self.port(kind)),
            "--control",
            str(self.control(kind)),
            "--memory",
            str(self.folder / f"{kind}.memory"),
            "--seed",
            str(scene.seed),
            "--speed",
            scene.speed,
            *scene.faults.arguments(),
        ]
        if kind in {"shoe", "shuffler"}:
            options += ["--decks", str(scene.rules.options.decks)]
        if kind == "shoe":
            options += ["--log", str(self.shoe_log), *(["--usb"] if scene.usb else [])]
        if not self._commercial(kind):
            return [*options, "--serial", serial(kind), "--key", str(self.key(kind))]
        return [*options, *([] if scene.shoe_tcp is None else ["--tcp", str(scene.shoe_tcp)])]

    async def _wait_for_device(self, kind: str) -> None:
        deadline = asyncio.get_running_loop().time() + self.patience
        while not (self.control(kind).exists() and self.port(kind).exists()):
            if self.devices[kind].returncode is not None or asyncio.get_running_loop().time() > deadline:
                raise DemoError(f"the simulated {kind} did not start: {self.log_tail(kind)}")
            await asyncio.sleep(0.02)

    async def _end_all(self) -> None:
        await self.stop_daemon()
        await self._end(*self.devices.values(), self.web)
        self.web = None
        self.devices.clear()


def serial(kind: str) -> str:
    return f"SIM-{kind.upper()}"


def configuration(table: DemoTable) -> str:
    scene = table.settings
    options = {"decks": str(scene.rules.options.decks), **scene.options}
    devices = "".join(
        f'\n[devices.{kind}]\nport = "{table.port_name(kind)}"\nserial = "{serial(kind)}"\n'
        + (f'adapter = "{scene.shoe}"\n' if kind == "shoe" else "")
        for kind in KINDS
    )
    sections = (
        f'[table]\nname = "{scene.name}"\ngame = "{scene.game}"\ncurrency = "USD"\ntarget = {scene.target}\n',
        "[options]\n" + "".join(f"{name} = {value}\n" for name, value in options.items()),
        f'[journal]\npath = "{table.journal}"\n',
        f'[web]\nhost = "127.0.0.1"\nport = {table.web_port}\nwatching = true\n',
        f"[flapping]\nlosses = {MOST_LOSSES}\n",
        *table.more_sections(),
        *([f'[selftest]\nmanifest = "{table.manifest}"\n'] if scene.checked else []),
    )
    return "\n".join(sections) + devices
