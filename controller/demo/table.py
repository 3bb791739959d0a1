"""Simulated devices and the daemon as processes, in one folder.

DemoTable ends every process that it started, and no other.
"""

import asyncio
import contextlib
import os
import re
import signal
import socket
import sys
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import Self

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
DIES_WITH_US = ("setpriv", "--pdeathsig", "TERM")
"""The kernel ends these processes when the demonstration ends, however it ends."""
MOST_LOSSES = 1000
"""People who play with simulated devices pull cables more often than a real cable comes loose."""
TARGET = 300
"""Rounds an hour, about what the crew plays at human speed."""
_READY = re.compile(rb"^READY=1$", re.MULTILINE)
_PAGE_STATUS = re.compile(rb"^STATUS=Page at", re.MULTILINE)
NAMES = {"daemon": "daemon", "web": "web server"}
PATIENCE = 20.0
"""Seconds in which a process must start or end."""


class DemoError(Exception):
    """A process of the demonstration did not start. The text has the end of its log."""


class DemoTable:
    """An asynchronous context in which the devices and the web server run. The caller starts and ends the
    daemon."""

    def __init__(self, folder: Path, settings: DemoSettings, lock: int | None = None) -> None:
        """`lock`: a descriptor that reserves the folder. All processes inherit it, because any one of them
        could be left running."""
        self.folder = folder
        self._locks = () if lock is None else (lock,)
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
            for kind in KINDS:
                await self.start_device(kind)
            await asyncio.gather(self.start_web(), *(self._wait_for_device(kind) for kind in KINDS))
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
        self.staff = staff(self.folder / "access.db")
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
        self.daemon = await self._start_service("daemon", "run", _READY)
        return loop.time() - started

    async def start_web(self) -> None:
        """Starts the web server, and returns when its page is up. Raises DemoError as `start_daemon` does."""
        self.web = await self._start_service("web", "web", _PAGE_STATUS)

    async def kill_web(self) -> None:
        """`kill -9`."""
        if self.web is not None:
            self.web.kill()
            await self.web.wait()
            self.web = None

    async def _start_service(
        self, name: str, command: str, awaited: re.Pattern[bytes]
    ) -> asyncio.subprocess.Process:
        """Starts a service, and returns when it has sent a notification that `awaited` finds."""
        address = self.folder / f"{name}.notify"
        with ready_socket(address) as ready:
            words = ["controller", command, "--config", str(self.config)]
            process = await self._spawn(name, words, NOTIFY_SOCKET=str(address))
            await self._wait_until_ready(name, ready, awaited, process)
        return process

    async def _until_shown(self) -> None:
        """Returns when the page shows the table, or that it is halted. Raises DemoError if the daemon ends
        first."""
        deadline = asyncio.get_running_loop().time() + PATIENCE
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
            await _end(self.daemon)
            self.daemon = None

    def log_tail(self, name: str) -> str:
        """The end of what a process wrote to its log."""
        return "\n".join((self.folder / f"{name}.log").read_text(errors="replace").splitlines()[-12:])

    async def _spawn(self, name: str, module: list[str], **environment: str) -> asyncio.subprocess.Process:
        with (self.folder / f"{name}.log").open("ab") as log:
            return await asyncio.create_subprocess_exec(
                *DIES_WITH_US,
                *self._wrapper(name),
                sys.executable,
                "-m",
                *module,
                stdin=asyncio.subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,  # Ctrl-C is for the demonstration, which ends its processes in order
                pass_fds=self._locks,
                env={**os.environ, **self._usb(name), **environment},
            )

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
        deadline = asyncio.get_running_loop().time() + PATIENCE
        while not (self.control(kind).exists() and self.port(kind).exists()):
            if self.devices[kind].returncode is not None or asyncio.get_running_loop().time() > deadline:
                raise DemoError(f"the simulated {kind} did not start: {self.log_tail(kind)}")
            await asyncio.sleep(0.02)

    async def _wait_until_ready(
        self, name: str, ready: socket.socket, awaited: re.Pattern[bytes], process: asyncio.subprocess.Process
    ) -> None:
        ready_task, ended = asyncio.create_task(_ready(ready, awaited)), asyncio.create_task(process.wait())
        try:
            await asyncio.wait({ready_task, ended}, timeout=PATIENCE, return_when=asyncio.FIRST_COMPLETED)
        finally:
            is_ready, has_ended = ready_task.done(), ended.done()
            ready_task.cancel()
            ended.cancel()
            await asyncio.gather(ready_task, ended, return_exceptions=True)
        if not is_ready:
            how = "ended" if has_ended else f"is not ready after {PATIENCE:g} s"
            raise DemoError(f"the {NAMES[name]} {how}: {self.log_tail(name)}")

    async def _end_all(self) -> None:
        await self.stop_daemon()
        await asyncio.gather(*(_end(process) for process in (*self.devices.values(), self.web) if process))
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
        f'[table]\nname = "Demonstration"\ngame = "{scene.game}"\ntarget = {TARGET}\n',
        "[options]\n" + "".join(f"{name} = {value}\n" for name, value in options.items()),
        f'[journal]\npath = "{table.journal}"\n',
        f'[web]\nhost = "127.0.0.1"\nport = {table.web_port}\nwatching = true\n',
        f"[flapping]\nlosses = {MOST_LOSSES}\n",
        *([f'[selftest]\nmanifest = "{table.manifest}"\n'] if scene.checked else []),
    )
    return "\n".join(sections) + devices


@contextlib.contextmanager
def ready_socket(path: Path) -> Iterator[socket.socket]:
    """The socket on which a service says that it is ready, as a service manager has it."""
    path.unlink(missing_ok=True)
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as ready:
        ready.setblocking(False)
        ready.bind(str(path))
        yield ready
    path.unlink(missing_ok=True)


async def _ready(ready: socket.socket, awaited: re.Pattern[bytes]) -> None:
    while not awaited.search(await asyncio.get_running_loop().sock_recv(ready, 4096)):
        continue


async def _end(process: asyncio.subprocess.Process) -> None:
    with contextlib.suppress(ProcessLookupError):
        process.send_signal(signal.SIGTERM)
    try:
        await asyncio.wait_for(process.wait(), PATIENCE)
    except TimeoutError:
        process.kill()
        await process.wait()
