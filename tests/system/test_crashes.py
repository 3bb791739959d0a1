"""The daemon is killed around its writes, and each round ends as one that nothing befell: a sample of what
`python -m tests.system.crashes` tries, and each point of one short round.
"""

import subprocess
import sys
from typing import Final

import pytest

from tests.system.drill.rounds import RICH

LIMIT: Final = 120.0


def tried(*arguments: str) -> str:
    """What it says when no point makes a difference."""
    command = [sys.executable, "-m", "tests.system.crashes", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=LIMIT)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_around_each_write_of_a_short_round() -> None:
    said = tried("--plays", "short", "--kinds", "moment")
    assert ", 0 with differences" in said


@pytest.mark.parametrize("game", RICH)
def test_at_some_moments_and_calls_of_each_game(game: str) -> None:
    said = tried("--plays", game, "--most", "12")
    assert said.startswith(f"{game}: 12 of ")


def test_everything_at_once_at_six_tables() -> None:
    """A short form of `python -m tests.system.chaos`."""
    command = [sys.executable, "-m", "tests.system.chaos", "--rounds", "60", "--stretch", "10"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=LIMIT)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.count("stretch ") == len(RICH)
