"""A disk that takes seconds for each write: rounds end, and no device is lost."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import pytest

from controller.table.record.views import TableView
from tests.fixtures.process_table import ProcessTable, stopped
from tests.system import script
from tests.system.drill.compare import faults
from tests.system.drill.play import play
from tests.system.drill.rounds import RICH
from tests.system.drill.world import World
from tests.system.preload.disk import Disk
from tests.system.service import service

STEP = 11
"""The dealer has to draw: the round's last acts are still to come."""
SLOW = 2.0
"""Seconds that each forced write takes."""
SLOWEST = 2.9
NAMED = re.compile(r"The journal's disk takes [2-9]\.[0-9] s a write")
LIMIT = 180.0
"""Seconds allowed for some dozens of such writes."""


def shows(prompt: str, view: TableView) -> bool:
    return view.prompt == prompt


def test_the_round_in_play_ends_and_devices_stay(house: ProcessTable, disk: Disk, library: Path) -> None:
    number = script.lay_out(house).round
    script.play(house, steps=range(STEP))
    script.at(house, STEP)
    with stopped(house), service(house.stage.config, more=disk.environment(library)) as running:
        house.until_recovered()
        before = house.sessions()
        disk.slow(SLOW)
        for step in script.ROUND[STEP:]:
            house.until(partial(shows, step.prompt), LIMIT)
            script.do(house, step)
        ended = house.until(lambda view: view.rounds and view.rounds[0].number >= number, LIMIT).rounds[0]
        after = house.sessions()
        house.until(lambda view: NAMED.search(" ".join(view.alerts)), LIMIT)
        disk.mend()
        house.until(lambda view: not NAMED.search(" ".join(view.alerts)), LIMIT)
        running.process.terminate()
        status, wrote = running.end()
    assert script.lines(ended) == script.LINES
    assert (status, after) == (0, before)
    assert "device missing" not in wrote


@pytest.mark.parametrize("game", RICH)
def test_rounds_of_each_game_end_on_a_slow_disk(game: str, tmp_path: Path) -> None:
    """In virtual time, rounds end as on a fast disk, in the first session with each device."""

    @contextmanager
    def slowed(world: World) -> Iterator[None]:
        world.slow = SLOWEST
        yield

    for name in ("quick", "slow"):
        (tmp_path / name).mkdir()
    quick = play(tmp_path / "quick", RICH[game], tells=True)
    slow = play(tmp_path / "slow", RICH[game], disturbed=slowed)
    assert list(faults(slow, quick, None)) == []
    assert slow.records_of(frozenset({"device lost"})) == quick.records_of(frozenset({"device lost"}))
