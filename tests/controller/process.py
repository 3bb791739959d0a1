"""A daemon as a process that a test talks to as systemd, a browser and a device would."""

import os
import pty
import select
import signal
import socket
import subprocess
import sys
import tty
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import httpx

from drivers.pty_link import PtyLink
from tests.controller.born import running
from tests.controller.test_daemon import COMMAND, CONFIG
from tests.system.addresses import own_port
from tests.waiting import PATIENCE, until

PLAIN = ("controller", "run", "--config")
INSTALLED = (sys.executable, "-c", COMMAND, "run", "--config")
"""Python finds what is in the folder."""


def configured(folder: Path) -> Path:
    """The configuration of a table in a folder, with a page's port that is free."""
    path = folder / "table.toml"
    path.write_text(CONFIG.format(folder).replace("port = 0", f"port = {own_port()}"))
    return path


class Table:
    """A running daemon, whatever it does."""

    def __init__(self, process: subprocess.Popen[str], listener: socket.socket, page: str) -> None:
        self.process, self.page = process, page
        self._listener = listener

    def said(self) -> str:
        """Its next word to systemd, but that it lives."""
        while (told := self._listener.recv(4096).decode()) == "WATCHDOG=1":
            continue
        return told

    def fed(self) -> bool:
        """Whether the next word is that it lives."""
        return self._listener.recv(4096) == b"WATCHDOG=1"

    def get(self, path: str) -> tuple[int, str]:
        """Status and text of an answer."""
        answer = httpx.get(self.page + path, timeout=PATIENCE, trust_env=False)
        return answer.status_code, answer.text

    def until_halted(self) -> str:
        """Its page, once it is."""
        until(self._halted)
        return self.get("")[1]

    def _halted(self) -> bool:
        try:
            status, html = self.get("")
        except httpx.TransportError:
            return False  # whoever asks while one server gives way to the other gets no answer
        return status == 503 and "Halted" in html

    def end(self) -> tuple[int, list[str]]:
        """Ends it as systemd does: exit status, and the lines of its log."""
        self.process.send_signal(signal.SIGTERM)
        _, logged = self.process.communicate(timeout=PATIENCE)
        return self.process.returncode, logged.splitlines()


@contextmanager
def table(
    config: Path, module: tuple[str, ...] = PLAIN, watchdog: float = 0, folder: Path | None = None
) -> Iterator[Table]:
    """A daemon that is to be ended by the test, or is killed; `folder`: where it is installed."""
    address = config.with_name("notify")
    port = config.read_text().split("[web]\nport = ")[1].split()[0]
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listener:
        listener.bind(str(address))
        listener.settimeout(PATIENCE)
        environment = {"NOTIFY_SOCKET": str(address), "WATCHDOG_USEC": str(round(watchdog * 1e6))}
        starting = (
            _installed(config, environment, folder)
            if folder
            else running([*module, str(config)], environment)
        )
        with starting as process:
            yield Table(process, listener, f"http://127.0.0.1:{port}/")
    address.unlink()


@contextmanager
def _installed(config: Path, environment: Mapping[str, str], folder: Path) -> Iterator[subprocess.Popen[str]]:
    whole, said = {**os.environ, **environment}, subprocess.PIPE
    with subprocess.Popen(
        [*INSTALLED, str(config)], stderr=said, text=True, env=whole, cwd=folder
    ) as process:
        try:
            yield process
        finally:
            process.kill()


@contextmanager
def wire(path: Path) -> Iterator[int]:
    """A port with nobody behind it; the end where everything that is sent to it arrives."""
    ours, theirs = pty.openpty()
    tty.setraw(theirs)
    link = PtyLink(path)
    link.point(os.ttyname(theirs))
    try:
        yield ours
    finally:
        link.remove()
        os.close(ours)
        os.close(theirs)


def silent(ours: int) -> bool:
    """Whether nothing was sent."""
    return not select.select([ours], [], [], 0)[0]
