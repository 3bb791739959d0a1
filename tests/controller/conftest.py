"""Fixtures for the tests of the controller."""

from collections.abc import Iterator

import pytest

from tests.fixtures.fork_server import ForkedDaemon, ForkServer


@pytest.fixture(scope="session")
def fork_server() -> Iterator[None]:
    """Forks daemons from a process that has loaded everything."""
    with ForkServer() as ForkedDaemon.fork_server:
        yield
    ForkedDaemon.fork_server = None
