"""Processes of a demonstration, in one folder: each has a log there, and ends with the demonstration."""

import asyncio
import contextlib
import os
import re
import signal
import socket
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import ClassVar, Final

DIES_WITH_US = ("setpriv", "--pdeathsig", "TERM")
"""The kernel ends these processes when the demonstration ends, however it ends."""
READY: Final = re.compile(rb"^READY=1$", re.MULTILINE)


class DemoError(Exception):
    """A process of the demonstration did not start. The text has the end of its log."""


class RestartableProcess:
    """Something that runs as a process, is killed or ended in order, and may start again. `process` is None
    while it does not run."""

    end_limit: ClassVar[float] = 10.0
    """Seconds in which it must end in order."""
    process: asyncio.subprocess.Process | None = None

    async def kill(self) -> None:
        if self.process:
            await kill_process(self.process)
            self.process = None

    async def stop(self) -> None:
        """End it in order, or kill it if it does not end in time."""
        if self.process:
            await end_process(self.process, self.end_limit)
            self.process = None


class ProcessFolder:
    """The processes whose logs lie in `folder`. `lock`: a descriptor that reserves the folder. All processes
    inherit it, because any one of them could be left running."""

    patience: ClassVar[float] = 60.0
    """Seconds in which a process must start or end."""
    names: ClassVar[Mapping[str, str]] = {}
    """What messages call a process."""

    def __init__(self, folder: Path, lock: int | None = None) -> None:
        self.folder = folder
        self._locks = () if lock is None else (lock,)

    def log_tail(self, name: str) -> str:
        """The end of what a process wrote to its log."""
        return "\n".join((self.folder / f"{name}.log").read_text(errors="replace").splitlines()[-12:])

    async def _start_service(
        self, name: str, words: list[str], awaited: re.Pattern[bytes] = READY
    ) -> asyncio.subprocess.Process:
        """Starts `python -m` these words, and returns when it has sent a notification that `awaited` finds.
        Raises DemoError if it ends or stays silent instead."""
        address = self.folder / f"{name}.notify"
        with ready_socket(address) as ready:
            process = await self._spawn(name, words, NOTIFY_SOCKET=str(address))
            await self._wait_until_ready(name, ready, awaited, process)
        return process

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
                env={**os.environ, **environment},
            )

    def _wrapper(self, _name: str) -> tuple[str, ...]:
        """The command that starts a process, if not the interpreter itself."""
        return ()

    async def _wait_until_ready(
        self, name: str, ready: socket.socket, awaited: re.Pattern[bytes], process: asyncio.subprocess.Process
    ) -> None:
        ready_task, ended = asyncio.create_task(_ready(ready, awaited)), asyncio.create_task(process.wait())
        try:
            await asyncio.wait(
                {ready_task, ended}, timeout=self.patience, return_when=asyncio.FIRST_COMPLETED
            )
        finally:
            is_ready, has_ended = ready_task.done(), ended.done()
            ready_task.cancel()
            ended.cancel()
            await asyncio.gather(ready_task, ended, return_exceptions=True)
        if not is_ready:
            how = "ended" if has_ended else f"is not ready after {self.patience:g} s"
            raise DemoError(f"the {self.names.get(name, name)} {how}: {self.log_tail(name)}")

    async def _end(self, *processes: asyncio.subprocess.Process | None) -> None:
        """Asks the processes to end, as a service manager does. None: one that does not run."""
        await asyncio.gather(*(end_process(process, self.patience) for process in {*processes} if process))

    async def _first_end(self, processes: Mapping[str, asyncio.subprocess.Process | None]) -> None:
        """Raises DemoError as soon as one of these processes has ended."""
        ends = {asyncio.create_task(process.wait()): name for name, process in processes.items() if process}
        try:
            ended, _ = await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for end in ends:
                end.cancel()
        name = ends[ended.pop()]
        raise DemoError(f"the {self.names.get(name, name)} ended: {self.log_tail(name)}")


async def end_process(process: asyncio.subprocess.Process, patience: float) -> None:
    """Ask it to end, as a service manager does; kill it after `patience` seconds."""
    with contextlib.suppress(ProcessLookupError):
        process.send_signal(signal.SIGTERM)
    try:
        async with asyncio.timeout(patience):
            await process.wait()
    except TimeoutError:
        await kill_process(process)


async def kill_process(process: asyncio.subprocess.Process) -> None:
    """Kill it, if it still runs."""
    with contextlib.suppress(ProcessLookupError):
        process.kill()
    await process.wait()


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
