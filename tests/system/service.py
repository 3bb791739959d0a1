"""The daemon under a service manager that records its notifications and the end of its log."""

import os
import resource
import socket
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from tests.fixtures.waiting import PATIENCE

RUN = ("controller", "run", "--config")
"""The product's own."""


class Service:
    """A running daemon. `say()` gives its notifications one by one."""

    def __init__(self, process: subprocess.Popen[str], listener: socket.socket) -> None:
        self.process = process
        self._listener = listener

    def say(self, within: float = PATIENCE) -> str:
        """The next notification; raises TimeoutError when there is none for this many seconds."""
        self._listener.settimeout(within)
        return self._listener.recv(4096).decode()

    def all_said(self) -> list[str]:
        """The notifications that wait."""
        said = []
        self._listener.settimeout(0)
        try:
            while True:
                said.append(self._listener.recv(4096).decode())
        except BlockingIOError:
            return said

    def no_file_grows(self) -> None:
        """From now on every write of the daemon to a file fails."""
        limits = (1, resource.RLIM_INFINITY)
        resource.prlimit(self.process.pid, resource.RLIMIT_FSIZE, limits)

    def end(self) -> tuple[int, str]:
        """Waits for its end; returns exit status and output."""
        _, wrote = self.process.communicate(timeout=PATIENCE)
        return self.process.returncode, wrote


@contextmanager
def service(
    config: Path,
    watchdog: float = 0.0,
    more: Mapping[str, str] | None = None,
    log: int = subprocess.PIPE,
    module: Sequence[str] = RUN,
) -> Iterator[Service]:
    """`tableside table run`, from its start, with `more` in its environment; `watchdog` in seconds, 0: none;
    `log`: where its standard error goes. It is killed if it still runs."""
    address = config.with_name("service")
    variables = {"NOTIFY_SOCKET": str(address), "WATCHDOG_USEC": str(round(watchdog * 1e6))}
    environment = {**os.environ, **variables, **(more or {})}
    command = [sys.executable, "-m", *module, str(config)]
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listener:
        listener.bind(str(address))
        try:
            with subprocess.Popen(command, stderr=log, text=True, env=environment) as process:
                try:
                    yield Service(process, listener)
                finally:
                    process.kill()
        finally:
            address.unlink()
