"""One process table for all tests of this folder that leave it playing."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.fixtures.process_table import ProcessTable, fork_server
from tests.system.preload.disk import Disk, build


@pytest.fixture(scope="session", autouse=True)
def quick() -> Iterator[None]:
    with fork_server():
        yield


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ProcessTable]:
    with ProcessTable(tmp_path_factory.mktemp("house")) as house:
        house.start_daemon()
        yield house


@pytest.fixture(scope="session")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The library of the controllable disk, for a daemon's environment."""
    return build(tmp_path_factory.mktemp("disk"))


@pytest.fixture
def disk(tmp_path: Path, built: ProcessTable) -> Iterator[Disk]:
    """The disk of the process table."""
    with Disk(tmp_path / "words", built.stage.folder) as disk:
        yield disk


@pytest.fixture
def house(built: ProcessTable) -> Iterator[ProcessTable]:
    with built.with_hands():
        yield built
