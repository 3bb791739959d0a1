"""One process table for all tests of this folder that leave it playing."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from tests.fixtures.process_table import ProcessTable, fork_server
from tests.system.preload.disk import Disk, build
from tests.system.shared_table import SharedTable

SHARED = pytest.StashKey[SharedTable]()


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Replaces the table before the guards around the test note which descriptors are open."""
    if shared := item.session.stash.get(SHARED, None):
        shared.replace_after_failure(item.session.testsfailed)


@pytest.fixture(scope="session", autouse=True)
def quick() -> Iterator[None]:
    with fork_server():
        yield


@pytest.fixture(scope="session")
def shared(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[SharedTable]:
    with closing(SharedTable(lambda: tmp_path_factory.mktemp("house"))) as shared:
        shared.start(request.session.testsfailed)
        request.session.stash[SHARED] = shared
        yield shared


@pytest.fixture(scope="session")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The library of the controllable disk, for a daemon's environment."""
    return build(tmp_path_factory.mktemp("disk"))


@pytest.fixture
def disk(tmp_path: Path, house: ProcessTable) -> Iterator[Disk]:
    """The disk of the process table."""
    with Disk(tmp_path / "words", house.stage.folder) as disk:
        yield disk


@pytest.fixture
def house(shared: SharedTable) -> Iterator[ProcessTable]:
    with shared.table.with_hands():
        yield shared.table
