"""Two real instances of a linked progressive at three servers."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.errors import Error as NatsError

from controller.floor.connection import Servers, connection
from controller.floor.drills.cluster import Cluster, Node, cluster
from controller.floor.drills.interleavings.world import LEVEL
from controller.floor.progressive.log_stream import LogStream, StreamAway
from controller.floor.streams import LEASE, Deployment
from controller.jackpot.linked.messages import Amount, read_amount
from drivers.key_files import key_text
from tests.controller.floor.progressive.house import (
    CONFIG,
    FLOOR,
    PROGRESSIVE_KEY,
    SUBJECTS,
    InstanceProcess,
)
from tests.fixtures.waiting import come_true


@dataclass
class Trio:
    servers: Cluster
    client: Client
    leader: InstanceProcess
    amounts: list[Amount] = field(default_factory=list)

    async def lead_of(self, stream: str) -> Node:
        found = (await self.client.jetstream().stream_info(stream)).cluster
        assert found
        return next(node for node in self.servers.nodes if node.name == found.leader)

    async def stores(self) -> bool:
        """Whether the servers have a leader for the leases and for the log."""
        stream = self.client.jetstream(timeout=1)
        try:
            found = [(await stream.stream_info(f"KV_{LEASE}")).cluster]
            await LogStream(stream, SUBJECTS.progressive_log(LEVEL)).end()
        except (TimeoutError, NatsError, StreamAway):
            return False
        return all(one and one.leader for one in found)

    async def hear(self, message: Msg) -> None:
        self.amounts.append(read_amount(message.data))


@asynccontextmanager
async def trio(folder: Path) -> AsyncIterator[Trio]:
    """Both instances run, and one leads."""
    async with cluster(folder / "servers", 3) as servers:
        await servers.prepare(Deployment("house", 3, levels=(LEVEL,)))
        key = folder / "progressive.key"
        key.write_text(key_text(PROGRESSIVE_KEY))
        key.chmod(0o600)
        instances = [InstanceProcess(name, folder) for name in ("p1", "p2")]
        for one in instances:
            one.journal.parent.mkdir()
            one.mirror.parent.mkdir()
            text = CONFIG.format(name=one.name, address="", floor=FLOOR.public.hex(), credentials="")
            text = text.replace('[""]', json.dumps(list(servers.addresses)))
            (folder / f"{one.name}.toml").write_text(text.replace("replicas = 1", "replicas = 3"))
        try:
            async with connection(Servers(servers.addresses, "table", "_INBOX_table")) as client:
                first, second = instances
                await first.start()
                await come_true(lambda: first.phase() == "leading")
                await second.start()
                await come_true(lambda: second.phase() == "following")
                found = Trio(servers, client, first)
                await client.subscribe(SUBJECTS.amount(LEVEL), cb=found.hear)
                await come_true(lambda: found.amounts)
                yield found
        finally:
            for one in instances:
                await one.kill()
