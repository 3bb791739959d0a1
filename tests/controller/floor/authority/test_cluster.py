"""Three servers from the files of `floor prepare`: they find each other with TLS, keep each stream three
times, and all learn of a revocation."""

import asyncio
import re
import time
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from controller.demo.reservations import free_port
from controller.floor.authority.authority import Authority
from controller.floor.authority.nkeys import Nkey, NkeyKind
from controller.floor.authority.permissions import table_inbox
from controller.floor.authority.updating import update_servers
from controller.floor.connection import ConnectionEndedError, Servers, connection
from controller.floor.credentials import credentials_text
from controller.floor.nats_server import nats_program
from controller.floor.service.preparing import prepare_floor, prepare_keys
from controller.floor.settings import FloorConfig, read_floor
from controller.floor.streams import JOURNAL
from tests.fixtures.house_ca import HOSTS, make_certificates
from tests.fixtures.waiting import PATIENCE

FLOOR = """
property = "house"
servers = [{servers}]
monitors = [{monitors}]
replicas = 3
ca = "ca.crt"
authority = "authority"
credentials = "authority/floor.creds"
"""


@dataclass(frozen=True, slots=True)
class Cluster:
    folder: Path
    config: FloorConfig

    @property
    def authority(self) -> Authority:
        return Authority(self.folder / "authority", "house")

    @property
    def ca(self) -> Path:
        return self.folder / "ca.crt"

    def table(self, name: str, address: str) -> Servers:
        """A table that knows only this one of the servers."""
        user = Nkey.make(NkeyKind.USER)
        signed = self.authority.issue(name, user.public, int(time.time())).read_text()
        path = self.folder / f"{name}.creds"
        path.write_text(credentials_text(signed, user.seed))
        return Servers((address,), name, table_inbox(name), self.ca, path)


@asynccontextmanager
async def cluster(folder: Path) -> AsyncIterator[Cluster]:
    """On three addresses of this computer, with ports of its own for their routes."""
    make_certificates(folder)
    servers = ", ".join(f'"tls://{host}:{free_port()}"' for host in HOSTS)
    monitors = ", ".join(f'"https://{host}:{free_port()}"' for host in HOSTS)
    (folder / "floor.toml").write_text(FLOOR.format(servers=servers, monitors=monitors))
    config = read_floor(folder / "floor.toml")
    prepare_keys(config)
    routes = {host: free_port() for host in HOSTS}
    async with AsyncExitStack() as running:
        for host in HOSTS:
            await running.enter_async_context(_server(folder, host, routes))
        yield Cluster(folder, config)


@asynccontextmanager
async def _server(folder: Path, host: str, routes: dict[str, int]) -> AsyncIterator[None]:
    [written] = (folder / "authority" / "servers").glob(f"{host}-*.conf")
    text = written.read_text().replace("/etc/tableside/nats", str(folder))
    text = text.replace("/var/lib/tableside-nats", str(folder / f"nats-{host}"))
    text = re.sub(r"(nats-route://([\d.]+)):6222", lambda found: f"{found[1]}:{routes[found[2]]}", text)
    text = text.replace("  port: 6222", f"  port: {routes[host]}")
    copy = written.with_name(f"here-{host}.conf")
    copy.write_text(text)
    with (folder / f"{host}.log").open("wb") as log:
        process = await asyncio.create_subprocess_exec(
            nats_program(), "-c", str(copy), "-a", host, stdout=log, stderr=log
        )
    try:
        yield
    finally:
        process.terminate()
        await process.wait()


async def test_three_servers_keep_each_stream_and_all_learn_of_a_revocation(tmp_path: Path) -> None:
    async with cluster(tmp_path) as found:
        done = await asyncio.to_thread(prepare_floor, found.config)
        assert JOURNAL in done.made
        first, second, _third = found.config.servers
        async with connection(found.table("bj-1", first)) as table:
            sent = await table.jetstream().publish("ts.house.journal.bj-1.x", b"rows", stream=JOURNAL)
            assert sent.seq == 1
        stolen = found.table("bj-2", second)
        with pytest.raises(ConnectionEndedError, match="revoked"):
            await revoked_meanwhile(found, stolen)


async def revoked_meanwhile(found: Cluster, table: Servers) -> None:
    async with connection(table):
        found.authority.revoke("bj-2", int(time.time()))
        update = (found.authority, found.config.servers, found.ca, int(time.time()))
        updated = await asyncio.to_thread(update_servers, *update)
        assert [name.rpartition("-")[0] for name in updated] == list(HOSTS)
        await asyncio.sleep(PATIENCE)
