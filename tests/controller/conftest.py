"""What tests of the controller share."""

from collections.abc import Iterator

import pytest

from controller import supervisor
from tests.controller.born import Born
from tests.system.nursery import Nursery
from tests.waiting import PATIENCE


@pytest.fixture(scope="session", autouse=True)
def _patient() -> Iterator[None]:
    """A table may take its time to answer a command."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(supervisor, "SECONDS", PATIENCE)
        yield


@pytest.fixture(scope="session")
def nursery() -> Iterator[None]:
    """Daemons are forked from a process that has all loaded."""
    with Nursery() as Born.nursery:
        yield
    Born.nursery = None
