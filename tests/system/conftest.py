"""One house for all tests of this folder that leave it as they found it: playing."""

from collections.abc import Iterator

import pytest

from tests.system.house import House


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with House(tmp_path_factory.mktemp("house")) as house:
        house.start_daemon()
        yield house


@pytest.fixture
def house(built: House) -> Iterator[House]:
    with built.staffed():
        yield built
