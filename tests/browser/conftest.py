"""One fork server for all tables of this folder."""

from collections.abc import Iterator

import pytest

from tests.fixtures.process_table import fork_server


@pytest.fixture(scope="session", autouse=True)
def quick() -> Iterator[None]:
    with fork_server():
        yield
