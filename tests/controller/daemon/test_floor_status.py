"""The status that a daemon gives to its uplink for the floor."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from controller.config import read
from controller.journal.signing import signer
from controller.property.signed import SignedMessage
from controller.property.status import read_status
from controller.socket.client import CoreClient
from controller.socket.listening import socket_place
from tests.fixtures.daemon_process import configured, notified
from tests.fixtures.hired import hire
from tests.fixtures.waiting import PATIENCE, come_true

pytestmark = pytest.mark.usefixtures("fork_server")

UPLINK = '\n[uplink]\nproperty = "house"\ntable = "bj-1"\nservers = ["nats://127.0.0.1:4222"]\n'


@pytest.fixture
def config(tmp_path: Path) -> Path:
    hire(tmp_path)
    return configured(tmp_path)


def with_uplink(config: Path) -> Path:
    config.write_text(config.read_text() + UPLINK)
    return config


@contextmanager
def ready(config: Path) -> Iterator[None]:
    with notified(config, "run") as (process, say):
        assert say() == "READY=1\nSTATUS=The table is ready"
        yield
        process.terminate()
        assert process.wait(PATIENCE) == 0


class Uplink:
    def __init__(self, config: Path) -> None:
        self.pushes: list[tuple[str, Any]] = []
        path = socket_place(read(config)).path
        self.client = CoreClient(path, "uplink", ("table_status", "head"), on_push=self.take)

    def take(self, topic: str, value: Any) -> None:
        self.pushes.append((topic, value))

    def of(self, topic: str) -> list[Any]:
        return [value for name, value in self.pushes if name == topic]


async def test_a_daemon_signs_its_status_with_the_key_of_its_journal(config: Path) -> None:
    uplink = Uplink(with_uplink(config))
    with ready(config):
        async with uplink.client as client:
            await come_true(lambda: client.hello and uplink.of("table_status") and uplink.of("head"))
            hello = client.hello
    message = SignedMessage.of_fields(uplink.of("table_status")[0])
    status = read_status(message.verify({signer(Path(read(config).journal.key)).public}))
    assert message.subject == "ts.house.status.bj-1"
    assert hello
    assert (status.epoch, status.software) == (hello.epoch, hello.version)
    assert status.suspended == ("Missing: the shoe", "Missing: the sensors", "Missing: the console")
    assert set(status.devices) == {"shoe", "sensors", "console"}
    assert {"row": status.row, "hash": status.hash} in uplink.of("head")


async def test_a_daemon_without_an_uplink_in_its_configuration_gives_no_status(config: Path) -> None:
    uplink = Uplink(config)
    with ready(config):
        async with uplink.client:
            await come_true(lambda: uplink.of("head"))
            assert not uplink.of("table_status")
