"""A daemon as a process that a test talks to as systemd, a browser and a device would."""

import os
import pty
import select
import signal
import socket
import subprocess
import sys
import time
import tty
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx

from tests.controller.test_daemon import COMMAND, CONFIG

PLAIN = ("-c", COMMAND, "run", "--config")


def configured(folder: Path) -> Path:
    """The configuration of a table in a folder, with a page's port that is free."""
    path = folder / "table.toml"
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    path.write_text(CONFIG.format(folder).replace("port = 0", f"port = {port}"))
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
        answer = httpx.get(self.page + path, timeout=10, trust_env=False)
        return answer.status_code, answer.text

    def until_halted(self) -> str:
        """Its page, once it is."""
        for _ in range(200):
            status, html = self.get("")
            if status == 503 and "Halted" in html:
                return html
            time.sleep(0.05)
        raise AssertionError("it did not halt within 10 s")

    def end(self) -> tuple[int, list[str]]:
        """Ends it as systemd does: exit status, and the lines of its log."""
        self.process.send_signal(signal.SIGTERM)
        _, logged = self.process.communicate(timeout=20)
        return self.process.returncode, logged.splitlines()


@contextmanager
def table(
    config: Path, command: tuple[str, ...] = PLAIN, watchdog: float = 0, folder: Path | None = None
) -> Iterator[Table]:
    """A daemon that is to be ended by the test, or is killed; it runs in `folder`."""
    address = config.with_name("notify")
    port = config.read_text().split("[web]\nport = ")[1].split()[0]
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listener:
        listener.bind(str(address))
        listener.settimeout(30)
        environment = {
            **os.environ,
            "NOTIFY_SOCKET": str(address),
            "WATCHDOG_USEC": str(round(watchdog * 1e6)),
        }
        words = [sys.executable, *command, str(config)]
        with subprocess.Popen(
            words, stderr=subprocess.PIPE, text=True, env=environment, cwd=folder
        ) as process:
            try:
                yield Table(process, listener, f"http://127.0.0.1:{port}/")
            finally:
                process.kill()
    address.unlink()


@contextmanager
def wire(path: Path) -> Iterator[int]:
    """A port with nobody behind it; the end where everything that is sent to it arrives."""
    ours, theirs = pty.openpty()
    tty.setraw(theirs)
    path.symlink_to(os.ttyname(theirs))
    try:
        yield ours
    finally:
        os.close(ours)
        os.close(theirs)


def silent(ours: int) -> bool:
    """Whether nothing was sent."""
    return not select.select([ours], [], [], 0)[0]
