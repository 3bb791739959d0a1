"""What tests of the controller share."""

from collections.abc import Iterator

import pytest

from controller.commands import supervisor_client
from tests.fixtures.fork_server import ForkServer
from tests.fixtures.forked_daemon import ForkedDaemon
from tests.fixtures.waiting import PATIENCE


@pytest.fixture(scope="session", autouse=True)
def _patient() -> Iterator[None]:
    """A table may take its time to answer a command."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(supervisor_client, "ANSWER_SECONDS", PATIENCE)
        yield


@pytest.fixture(scope="session")
def nursery() -> Iterator[None]:
    """Daemons are forked from a process that has all loaded."""
    with ForkServer() as ForkedDaemon.fork_server:
        yield
    ForkedDaemon.fork_server = None
