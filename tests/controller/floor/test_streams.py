"""Streams that cannot be made, and those of which one server is down."""

from pathlib import Path

import pytest
from nats.js.errors import ServiceUnavailableError

from controller.floor.connection import Servers, connection
from controller.floor.drills.cluster import cluster
from controller.floor.nats_server import nats_server
from controller.floor.service.stream_watch import StreamWatch
from controller.floor.streams import DIRECTORY, JOURNAL, STATUS, Deployment, StreamError, check, prepare
from controller.floor.tables.alerts import FloorCause


async def test_the_reason_of_a_stream_that_cannot_be_made_is_in_the_log_of_the_server(tmp_path: Path) -> None:
    async with (
        nats_server(tmp_path) as address,
        connection(Servers((address,), "prepare", "_INBOX_prepare")) as client,
    ):
        streams = tmp_path / "jetstream" / "$G" / "streams"
        streams.mkdir(parents=True, exist_ok=True)
        (streams / JOURNAL).write_text("where the server wants a folder")
        with pytest.raises(StreamError) as refused:
            await prepare(client.jetstream(), Deployment("house", 1))
        assert str(refused.value) == (
            "stream JOURNAL cannot be made: error creating store for stream; the log of the server says why"
        )
        assert "storage directory is not a directory" in (tmp_path / "server.log").read_text()


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
