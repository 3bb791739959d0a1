"""A server of demonstrations and tests that does not start."""

import socket
from pathlib import Path

import pytest

from controller.demo.reservations import LOOPBACK
from controller.floor.nats_server import NatsServerError, nats_server


async def test_a_server_whose_port_is_taken_says_so(tmp_path: Path) -> None:
    with socket.create_server((LOOPBACK, 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(NatsServerError, match=rf"status 1: .*:{port}: bind: address already in use"):
            async with nats_server(tmp_path, port):
                pass


async def test_a_server_that_does_not_understand_its_configuration_says_so(tmp_path: Path) -> None:
    with pytest.raises(NatsServerError, match=r"status 1: .*: unknown field \"nonsense\""):
        async with nats_server(tmp_path, more=("nonsense: true",)):
            pass
