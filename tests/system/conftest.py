"""One house for all tests of this folder that leave it as they found it: playing."""

from collections.abc import Iterator
from pathlib import Path
from unittest.mock import patch

import pytest

from controller.demo import stage
from tests.system.disk.disk import Disk, build
from tests.system.house import House
from tests.system.nursery import Nursery
from tests.system.stage import QuickStage
from tests.waiting import PATIENCE

LONGEST = 600
"""Seconds that a test of whole tables may take on a machine that does a lot beside."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if item.path.is_relative_to(__file__.rpartition("/")[0]):
            item.add_marker(pytest.mark.timeout(LONGEST))


@pytest.fixture(scope="session", autouse=True)
def quick() -> Iterator[None]:
    """Processes are forked, and each has its time to come up."""
    with Nursery() as QuickStage.nursery, patch.object(stage, "PATIENCE", PATIENCE):
        yield
    QuickStage.nursery = None


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with House(tmp_path_factory.mktemp("house")) as house:
        house.start_daemon()
        yield house


@pytest.fixture(scope="session")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The disk that does what it is told, for a daemon's environment."""
    return build(tmp_path_factory.mktemp("disk"))


@pytest.fixture
def disk(tmp_path: Path, built: House) -> Iterator[Disk]:
    """The house's."""
    with Disk(tmp_path / "words", built.stage.folder) as disk:
        yield disk


@pytest.fixture
def house(built: House) -> Iterator[House]:
    with built.staffed():
        yield built
