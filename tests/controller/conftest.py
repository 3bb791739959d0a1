"""Fixtures for the tests of the controller."""

from collections.abc import Iterator

import pytest

from tests.fixtures.fork_server import ForkServer


@pytest.fixture(scope="session")
def fork_server() -> Iterator[None]:
    """Forks programs from a process that has loaded everything."""
    with ForkServer():
        yield
