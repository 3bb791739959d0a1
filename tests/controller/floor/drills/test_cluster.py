"""Servers of a drill that do not work."""

import socket
import time
from pathlib import Path
from typing import Final

import pytest

from controller.demo.reservations import LOOPBACK
from controller.floor.drills.cluster import START_LIMIT, Cluster, ClusterError
from controller.floor.streams import Deployment

WHY: Final = "server n1 ended with status 1: .*address already in use"


@pytest.mark.parametrize("size", [1, 3])
async def test_a_server_whose_port_is_taken_ends_the_drill_at_once(tmp_path: Path, size: int) -> None:
    servers, begun = Cluster(tmp_path, size), time.monotonic()
    with socket.create_server((LOOPBACK, servers.nodes[0].port)):
        try:
            await servers.start()
            with pytest.raises(ClusterError, match=WHY):
                await servers.prepare(Deployment("house", size))
        finally:
            await servers.kill()
    assert time.monotonic() - begun < START_LIMIT / 2
