"""Once faults end, rounds end without a person, and faults that stay do not stop play: a short form of
`python -m tests.system.liveness`, and proof that it finds a table that is stuck."""

import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

from tests.system.drill.permanent_faults import PERMANENT, PermanentFault
from tests.system.drill.tasks import unjustified
from tests.system.drill.troubles import Trouble
from tests.system.liveness import LivelockError, Watch
from tests.system.preload.disk import Disk

LIMIT: Final = 300.0
"""Seconds, on a busy machine."""
DIRTY = Trouble(1.0, "card unreadable", "")
FORCED = Trouble(2.0, "card forced", "")
UNREAD = "Card 7 could not be read"
LOCKED = "Card 8 left the shoe although it was locked"


def run(*arguments: str, module: str = "tests.system.liveness") -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", module, *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=LIMIT)


def watch(tmp_path: Path, fault: PermanentFault) -> None:
    """Easy Jack with a healthy disk."""
    folder = tmp_path / "table"
    folder.mkdir()
    with Disk(tmp_path / "words") as disk:
        Watch(1, 0, folder, disk).permanent(fault)


def test_rounds_end_after_faults_that_end_and_beside_faults_that_stay() -> None:
    done = run("--tables", "2")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "all reached" in done.stdout


def test_rounds_end_after_faults_and_beside_a_crowd_that_says_nothing() -> None:
    """Whole processes: a short form of `python -m tests.system.aftermath`."""
    done = run("--spells", "2", "--crowd", "300", module="tests.system.aftermath")
    assert done.returncode == 0, done.stdout + done.stderr


def test_a_run_that_plays_nothing_fails() -> None:
    done = run("--tables", "0", "--permanent")
    assert done.returncode == 1
    assert "not reached: round ended" in done.stdout


def test_a_table_that_is_stuck_is_found(tmp_path: Path) -> None:
    """A device stays away, and its cable is never put back."""
    gone = PERMANENT["display that is gone"]
    stuck = PermanentFault(gone.begin, asks=gone.asks)
    with pytest.raises(LivelockError, match=r"no round ended within 210 s: .*Missing: the display"):
        watch(tmp_path, stuck)


def test_a_table_that_does_not_say_what_it_waits_for_is_found(tmp_path: Path) -> None:
    with pytest.raises(LivelockError, match="no round ended"):
        watch(tmp_path, PermanentFault(PERMANENT["display that is gone"].begin, asks="Missing: the shoe"))


@pytest.mark.parametrize(
    ("named", "history", "found"),
    [
        ([UNREAD], [DIRTY], []),
        ([UNREAD, LOCKED], [FORCED, DIRTY], []),
        ([UNREAD], [FORCED], [UNREAD]),
        ([UNREAD, "Card 9 could not be read"], [DIRTY], ["Card 9 could not be read"]),
        (["The moon is full"], [DIRTY], ["The moon is full"]),
    ],
)
def test_a_person_is_asked_only_with_cause(
    named: list[str], history: list[Trouble], found: list[str]
) -> None:
    assert unjustified(named, history) == found
