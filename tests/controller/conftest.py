"""What tests of the controller share."""

from collections.abc import Iterator

import pytest

from tests.controller.born import Born
from tests.system.nursery import Nursery


@pytest.fixture(scope="session")
def nursery() -> Iterator[None]:
    """Daemons are forked from a process that has all loaded."""
    with Nursery() as Born.nursery:
        yield
    Born.nursery = None
