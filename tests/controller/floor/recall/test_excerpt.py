"""A round out of the floor's store, compared with the same round in the table's own journal."""

from dataclasses import replace
from pathlib import Path

import pytest

from controller.floor.day_file import JournalName
from controller.floor.recall.excerpt import RoundNotStored, excerpt
from controller.floor.store import FloorArchive
from controller.floor.store_file import StoreError
from controller.past.recall.account import RoundStory
from controller.past.recall.query import RoundQuery
from controller.past.recall.search import search
from controller.past.recall.story import round_story, steps_of_round
from tests.fixtures.random_nights import kept
from tests.fixtures.stored_floor import DAY, TABLE, StoredFloor

Stored = tuple[FloorArchive, Path]


@pytest.fixture(scope="module")
def stored(tmp_path_factory: pytest.TempPathFactory) -> Stored:
    """A journal, and the floor that has it in small batches of two days."""
    folder = tmp_path_factory.mktemp("floor")
    path, floor = folder / "table.db", StoredFloor(folder / "stores")
    rows = kept(path, 2, (14, 10))
    for place in range(0, len(rows), 40):
        if place == 400:
            floor.now += DAY
        part = rows[place : place + 40]
        assert floor.take_all(part, rows[place - 1].hash if place else bytes(32)) == []
    floor.close()
    return FloorArchive(floor.folder), path


def without_file(story: RoundStory) -> RoundStory:
    """The story without what depends on the file: its name, and rounds that are no neighbours there."""
    return replace(story, evidence=replace(story.evidence, file=""), previous=0, next=0)


def test_every_round_is_the_one_of_the_table(stored: Stored) -> None:
    archive, path = stored
    for one in search(path, RoundQuery(), most=100).rounds:
        with excerpt(archive, TABLE, one.number) as part:
            own, found = round_story(path, one.number), round_story(part, one.number)
            assert without_file(found) == without_file(own)
            assert steps_of_round(part, one.number) == steps_of_round(path, one.number)
            assert found.previous == own.previous
            assert found.next == own.next
        assert not part.exists()


def test_a_round_that_is_not_stored_is_an_error_of_its_own(stored: Stored) -> None:
    with pytest.raises(RoundNotStored, match="round 99 of bj-1"), excerpt(stored[0], TABLE, 99):
        pass
    other = JournalName("bj-1", "f" * 16)
    with pytest.raises(StoreError), excerpt(stored[0], other, 1):
        pass
