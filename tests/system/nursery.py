"""Python programs that begin with all loaded that they need: each is forked from a process that has it.

Loading a daemon takes a second of a processor, and a simulated device a quarter of one; tests start hundreds.
What runs is the program's own module, in a process of its own that may be killed as any other.
"""

import gc
import importlib
import json
import math
import os
import runpy
import selectors
import signal
import socket
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import IO, Final, Self

from tests.waiting import PATIENCE, come_true

PRELOADED: Final = (
    "controller.play",
    "drivers.sim.adapters.tcp",
    "drivers.sim.adapters.unit",
    "drivers.sim.options",
    "drivers.sim.run",
    "drivers.update.maker",
)
"""What `tableside run` and simulated devices load."""
LONGEST: Final = 1 << 17
"""Bytes of a request: words and an environment."""
SHORT: Final = 64
"""Bytes of what is told of a program."""
LOG: Final = (1, 2)
"""Where a program writes."""


class Nursery:
    """While it is entered, programs are born; what still runs then ends with it."""

    def __init__(self) -> None:
        self._ended: dict[int, int] = {}

    def __enter__(self) -> Self:
        self._line, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        command = [sys.executable, "-m", "tests.system.nursery", str(theirs.fileno())]
        with theirs:
            self._process = subprocess.Popen(command, pass_fds=[theirs.fileno()], start_new_session=True)
        return self

    def __exit__(
        self, _kind: type[BaseException] | None, _error: BaseException | None, _trace: TracebackType | None
    ) -> None:
        self._line.close()
        self._process.wait(PATIENCE)

    def bear(self, module: Sequence[str], log: IO[bytes], environment: Mapping[str, str]) -> "Forked":
        """`python -m` these words, in a session of its own; what it says goes into the log."""
        words = json.dumps([[*module], {**environment}, str(Path.cwd())]).encode()
        self._line.settimeout(PATIENCE)
        socket.send_fds(self._line, [words], [log.fileno()])
        while (born := self._heard())[1] is not None:
            continue
        self._ended.pop(born[0], None)  # of an older one with that number
        return Forked(self, born[0])

    def status(self, pid: int) -> int | None:
        """As subprocess has it; None while it runs."""
        self._line.settimeout(0)
        with suppress(BlockingIOError):
            while pid not in self._ended:
                self._heard()
        return self._ended.get(pid)

    def _heard(self) -> tuple[int, int | None]:
        pid, status = json.loads(self._line.recv(SHORT))
        if status is not None:
            self._ended[pid] = status
        return pid, status


class Forked:
    """A program that was born; as much of asyncio's Process as a stage uses."""

    def __init__(self, nursery: Nursery, pid: int) -> None:
        self.pid = pid
        self._nursery = nursery
        self._status: int | None = None

    @property
    def returncode(self) -> int | None:
        """As subprocess has it; None while it runs."""
        if self._status is None:
            self._status = self._nursery.status(self.pid)
        return self._status

    def send_signal(self, number: int) -> None:
        """Raises ProcessLookupError when it has ended."""
        if self.returncode is not None:
            raise ProcessLookupError(self.pid)
        os.kill(self.pid, number)

    def kill(self) -> None:
        """`kill -9`."""
        self.send_signal(signal.SIGKILL)

    async def wait(self) -> int:
        """Its status, once it has ended."""
        await come_true(lambda: self.returncode is not None, limit=math.inf)
        assert self._status is not None
        return self._status


@dataclass(frozen=True, slots=True)
class Birth:
    """What a new process is to be; `log`: the descriptor that it writes to."""

    module: Sequence[str]
    environment: Mapping[str, str]
    folder: str
    log: int


def _next(control: socket.socket) -> Birth | None:
    """What is to be born in this very process, which was forked for it; None: nobody asks any more."""
    with selectors.DefaultSelector() as heard:
        heard.register(control, selectors.EVENT_READ)
        while True:
            for key, _ in heard.select():
                if pid := key.data:
                    heard.unregister(key.fd)
                    os.close(key.fd)
                    _tell(control, pid, os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
                elif (birth := _asked(control)) is None:
                    return None
                elif pid := os.fork():
                    os.close(birth.log)
                    heard.register(os.pidfd_open(pid), selectors.EVENT_READ, pid)
                    _tell(control, pid, None)
                else:
                    return birth


def _asked(control: socket.socket) -> Birth | None:
    words, descriptors, _, _ = socket.recv_fds(control, LONGEST, 1)
    return Birth(*json.loads(words), *descriptors) if words else None


def _tell(control: socket.socket, pid: int, status: int | None) -> None:
    """That it was born, or how it ended; who asked for it may be gone."""
    with suppress(BrokenPipeError):
        control.send(json.dumps([pid, status]).encode())


def _load() -> None:
    """The logs as plain as a table's."""
    from controller.frugal import plain_logs

    plain_logs()
    for module in PRELOADED:
        importlib.import_module(module)
    gc.freeze()


def _become(birth: Birth) -> None:
    from drivers.sim.run import die_with_parent

    die_with_parent()
    os.setsid()
    for descriptor in LOG:
        os.dup2(birth.log, descriptor)
    with Path(os.devnull).open("rb") as nothing:
        os.dup2(nothing.fileno(), 0)
    os.closerange(3, os.sysconf("SC_OPEN_MAX"))
    os.chdir(birth.folder)
    os.environ.clear()
    os.environ.update(birth.environment)
    sys.argv = [*birth.module]


def main() -> None:
    """A nursery, and in each process that is forked from it the program."""
    _load()
    with socket.socket(fileno=int(sys.argv[1])) as control:
        birth = _next(control)
    if birth:
        _become(birth)
        runpy.run_module(birth.module[0], run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main()
