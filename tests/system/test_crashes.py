"""The daemon is killed around its writes, and each round ends as an undisturbed one: a sample of what `python
-m tests.system.crashes` tries, and each point of one short round."""

import subprocess
import sys
from typing import Final

from tests.system.drill.rounds import RICH

LIMIT: Final = 300.0
"""Seconds, on a busy machine."""


def tried(*arguments: str) -> str:
    """The output when no point makes a difference."""
    command = [sys.executable, "-m", "tests.system.crashes", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=LIMIT)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_kills_around_each_write_of_a_short_round_change_nothing() -> None:
    said = tried("--plays", "short", "--kinds", "moment")
    assert ", 0 with differences" in said


def test_kills_at_sampled_points_of_each_game_change_nothing() -> None:
    said = tried("--plays", *RICH, "--most", "8")
    *points, _met, reached = said.splitlines()
    assert [line.split(" of ")[0] for line in points] == [f"{game}: 8" for game in RICH]
    assert reached == "all reached"


def test_every_trouble_at_once_changes_no_round() -> None:
    """A short form of `python -m tests.system.chaos`."""
    command = [sys.executable, "-m", "tests.system.chaos", "--rounds", "60", "--stretch", "10"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=LIMIT)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.count("stretch ") == len(RICH)
