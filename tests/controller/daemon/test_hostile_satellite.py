"""A daemon starts, plays and ends while a satellite holds every lock that it can get."""

import json
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from controller.journal import names
from controller.journal.history import History
from tests.controller.journal.hostile_locks import PLACES, give_to_group, holding
from tests.fixtures.daemon_process import configured, daemon_process
from tests.fixtures.waiting import until

pytestmark = pytest.mark.usefixtures("fork_server")


@pytest.fixture
def folder() -> Iterator[Path]:
    """Below /tmp, because others must reach it."""
    with TemporaryDirectory() as place:
        give_to_group(Path(place))
        yield Path(place)


def test_a_daemon_whose_journal_is_locked_by_a_satellite_starts_and_ends(folder: Path) -> None:
    config, journal = configured(folder), folder / "journal"
    with ExitStack() as locks:
        for place in PLACES:
            locks.enter_context(holding(journal, place))
        for _ in range(2):
            with daemon_process(config) as running:
                running.status()
                until(names.index(journal).exists)
                assert json.loads(running.get("health")[1])["status"] != "halted"
                assert running.end()[0] == 0
    kinds = [entry.content.kind for entry in History(journal).rows()]
    assert kinds.count("started") == 2, kinds
