"""What tests of the controller share."""

from collections.abc import Iterator

import pytest

from controller.commands import supervisor_client
from tests.fixtures.fork_server import Nursery
from tests.fixtures.forked_daemon import Born
from tests.fixtures.waiting import PATIENCE


@pytest.fixture(scope="session", autouse=True)
def _patient() -> Iterator[None]:
    """A table may take its time to answer a command."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(supervisor_client, "SECONDS", PATIENCE)
        yield


@pytest.fixture(scope="session")
def nursery() -> Iterator[None]:
    """Daemons are forked from a process that has all loaded."""
    with Nursery() as Born.nursery:
        yield
    Born.nursery = None
