"""One or three servers in a folder, which a drill kills, starts again, and puts back to an earlier state.

They listen on loopback and keep their ports, so that clients find them again. A server that is killed leaves
its store as it is.
"""

import asyncio
import json
import shutil
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Final

from nats.js.errors import ServiceUnavailableError

from controller.demo.processes import DIES_WITH_US, RestartableProcess
from controller.demo.reservations import free_port
from controller.floor.connection import Servers, connection
from controller.floor.nats_server import LOG, last_logged, nats_program
from controller.floor.streams import Deployment, StreamError, prepare
from controller.process.tasks import run_parts

START_LIMIT: Final = 60.0
"""Seconds in which the servers elect leaders and take the streams."""
PAUSE: Final = 0.2


class ClusterError(Exception):
    """The servers do not work. The message says why."""


class Node(RestartableProcess):
    """A server with its store in `folder`."""

    def __init__(self, folder: Path, name: str, store: Path | None = None) -> None:
        self.folder, self.name, self.port, self.route = folder, name, free_port(), free_port()
        self.store = store or folder / "store"
        folder.mkdir(parents=True, exist_ok=True)

    @property
    def address(self) -> str:
        return f"nats://127.0.0.1:{self.port}"

    def configure(self, routes: Sequence[int], sync_interval: str) -> None:
        """`routes`: the ports for the other servers of its cluster; none for a server by itself."""
        lines = [
            f"server_name: {self.name}",
            'host: "127.0.0.1"',
            f"port: {self.port}",
            'http: "127.0.0.1:-1"',
            f"ports_file_dir: {json.dumps(str(self.folder))}",
            f"jetstream {{ store_dir: {json.dumps(str(self.store))}, sync_interval: {sync_interval} }}",
        ]
        if routes:
            peers = ", ".join(f'"nats://127.0.0.1:{port}"' for port in routes)
            lines.append(
                f'cluster {{ name: drill, host: "127.0.0.1", port: {self.route}, routes: [{peers}], '
                "no_advertise: true }"  # a client has the addresses that it was given, and no others
            )
        (self.folder / "server.conf").write_text("\n".join(lines), encoding="utf-8")

    async def start(self) -> None:
        if self.process is None:
            with (self.folder / LOG).open("ab") as log:
                self.process = await asyncio.create_subprocess_exec(
                    *DIES_WITH_US,
                    nats_program(),
                    "-c",
                    str(self.folder / "server.conf"),
                    stdout=log,
                    stderr=log,
                )

    async def watch(self, process: asyncio.subprocess.Process) -> None:
        """Raises ClusterError when the process of the server ends."""
        status = await process.wait()
        raise ClusterError(f"server {self.name} ended with status {status}: {last_logged(self.folder)}")


class Cluster:
    """`sync_interval`: "always" as in production, or what a drill asks for."""

    def __init__(self, folder: Path, size: int = 1, sync_interval: str = "always") -> None:
        self._folder, self.size = folder, size
        self.nodes = [Node(folder / f"n{number}", f"n{number}") for number in range(1, size + 1)]
        self._kept = folder / "kept"
        routes = [node.route for node in self.nodes] if size > 1 else []
        for node in self.nodes:
            node.configure(routes, sync_interval)

    @property
    def addresses(self) -> tuple[str, ...]:
        return tuple(node.address for node in self.nodes)

    @property
    def servers(self) -> Servers:
        """With all rights."""
        return Servers(self.addresses, "drill", "_INBOX_drill")

    async def start(self) -> None:
        await asyncio.gather(*(node.start() for node in self.nodes))

    async def kill(self) -> None:
        await asyncio.gather(*(node.kill() for node in self.nodes))

    async def prepare(self, deployment: Deployment) -> None:
        """Make the streams, as soon as the servers have a leader. Raises ClusterError."""
        watches = (node.watch(node.process) for node in self.nodes if node.process)
        await run_parts((self._prepare(deployment), *watches))

    async def _prepare(self, deployment: Deployment) -> None:
        why: Exception | None = None
        with suppress(TimeoutError):
            async with asyncio.timeout(START_LIMIT), connection(self.servers) as client:
                while True:
                    try:
                        await prepare(client.jetstream(timeout=2), deployment)
                        return
                    except (StreamError, ServiceUnavailableError, TimeoutError) as error:
                        why = error
                    await asyncio.sleep(PAUSE)
        raise ClusterError(f"the servers are not ready after {START_LIMIT:g} s: {why}; see {self._folder}")

    async def keep(self) -> None:
        """Copy all stores as they are now; the servers are killed for it."""
        await self.kill()
        shutil.rmtree(self._kept, ignore_errors=True)
        for node in self.nodes:
            shutil.copytree(node.store, self._kept / node.name)
        await self.start()

    async def put_back(self) -> None:
        """All stores are as they were when they were kept: what was acknowledged since is lost."""
        await self.kill()
        for node in self.nodes:
            shutil.rmtree(node.store)
            shutil.copytree(self._kept / node.name, node.store)
        await self.start()

    def processes(self) -> list[int]:
        """The process ids of the servers that run."""
        return [node.process.pid for node in self.nodes if node.process]


@asynccontextmanager
async def cluster(folder: Path, size: int = 1, sync_interval: str = "always") -> AsyncIterator[Cluster]:
    """Servers that run inside the block."""
    found = Cluster(folder, size, sync_interval)
    try:
        await found.start()
        yield found
    finally:
        await asyncio.gather(*(node.stop() for node in found.nodes))
