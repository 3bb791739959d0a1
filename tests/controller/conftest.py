"""Fixtures for the tests of the controller."""

from collections.abc import Iterator

import pytest

from controller.commands import supervisor_client
from tests.fixtures.fork_server import ForkedDaemon, ForkServer
from tests.fixtures.waiting import PATIENCE


@pytest.fixture(scope="session", autouse=True)
def _patient() -> Iterator[None]:
    """A table may take long to answer a command."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(supervisor_client, "ANSWER_SECONDS", PATIENCE)
        yield


@pytest.fixture(scope="session")
def fork_server() -> Iterator[None]:
    """Forks daemons from a process that has loaded everything."""
    with ForkServer() as ForkedDaemon.fork_server:
        yield
    ForkedDaemon.fork_server = None
