"""An access desk with two accounts, and its clock."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from controller.access.desk import AccessDesk
from tests.fixtures.access_desk import Clock, hire_staff, open_desk


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def desk(tmp_path: Path, clock: Clock) -> Iterator[AccessDesk]:
    with open_desk(tmp_path, clock) as desk:
        hire_staff(desk)
        yield desk
