"""One bench on the emulated board for all tests of this folder."""

from collections.abc import Iterator

import pytest

from tests.conformance.firmware import Program

from .bench import running_on_target


@pytest.fixture(scope="session")
def firmware() -> Iterator[Program]:
    with running_on_target() as program:
        yield program
