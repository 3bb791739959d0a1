"""The floor starts and looks at its streams while one of three servers is down, whichever it is."""

from pathlib import Path

import pytest
from nats.js.errors import ServiceUnavailableError

from controller.floor.connection import connection
from controller.floor.drills.cluster import cluster
from controller.floor.service.stream_watch import StreamWatch
from controller.floor.streams import DIRECTORY, STATUS, Deployment, check
from controller.floor.tables.alerts import FloorCause


async def test_the_stream_of_last_statuses_may_be_at_a_server_that_is_down(tmp_path: Path) -> None:
    deployment, reported = Deployment("house", 3), list[FloorCause]()
    async with cluster(tmp_path, 3) as servers:
        await servers.prepare(deployment)
        async with connection(servers.servers) as client:
            stream = client.jetstream(timeout=2)
            keeper = (await stream.stream_info(STATUS)).cluster
            assert keeper
            watch = StreamWatch(stream, (STATUS, DIRECTORY), lambda cause, _why: reported.append(cause))
            await next(node for node in servers.nodes if node.name == keeper.leader).kill()
            await check(stream, {STATUS: deployment.streams()[STATUS]})
            while not reported:  # those of the other streams may elect a leader meanwhile
                with pytest.raises((TimeoutError, ServiceUnavailableError)):
                    await watch.look()
            assert {cause.which for cause in reported} == {DIRECTORY}
