"""The table that tests share, and the next one after a failure."""

from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

from tests.fixtures.process_table import ProcessTable


class SharedTable:
    """A table that plays, once it is started. `new_folder` makes a folder for a table. `failures`: how many
    tests have failed until now."""

    table: ProcessTable

    def __init__(self, new_folder: Callable[[], Path]) -> None:
        self._new_folder = new_folder
        self._open = ExitStack()
        self._failures = 0

    def start(self, failures: int) -> None:
        self._failures = failures
        self.table = self._open.enter_context(ProcessTable(self._new_folder()))
        self.table.start_daemon()

    def close(self) -> None:
        self._open.close()

    def replace_after_failure(self, failures: int) -> None:
        """A test that failed may have left its round unfinished; the tests after it would fail, too."""
        if failures > self._failures:
            self.close()
            self.start(failures)
