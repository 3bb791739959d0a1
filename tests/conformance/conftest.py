"""One bench of the C implementation for all tests of this folder."""

from collections.abc import Iterator

import pytest

from .firmware import Program, running


@pytest.fixture(scope="session")
def firmware() -> Iterator[Program]:
    with running() as program:
        yield program
