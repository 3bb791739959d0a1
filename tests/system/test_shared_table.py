"""A failed test does not make the tests after it fail."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from tests.system import script
from tests.system.shared_table import SharedTable


@pytest.fixture
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SharedTable]:
    """A table for this test alone."""
    with closing(SharedTable(lambda: tmp_path_factory.mktemp("table"))) as shared:
        shared.start(failures=0)
        yield shared


def folder(shared: SharedTable) -> Path:
    return shared.table.stage.folder


def test_the_table_is_replaced_after_each_failed_test(shared: SharedTable) -> None:
    first = folder(shared)
    with shared.table.with_hands() as table:
        script.deal_up_to(table, 7)
    shared.replace_after_failure(0)
    assert folder(shared) == first
    shared.replace_after_failure(1)
    second = folder(shared)
    assert second != first
    with shared.table.with_hands() as table:
        script.play_to_the_end(table, script.deal_up_to(table, 0), 0)
    shared.replace_after_failure(1)
    assert folder(shared) == second
    shared.replace_after_failure(2)
    assert folder(shared) not in {first, second}
