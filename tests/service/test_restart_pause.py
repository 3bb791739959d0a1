"""The script that waits before a start, with a clock and a sleep that take no time."""

import os
import subprocess
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[2] / "systemd" / "restart-pause"


class Unit:
    """A unit that starts and ends. `now`: Unix time."""

    def __init__(self, folder: Path) -> None:
        self.now = 1_800_000_000
        self.runtime = folder / "runtime"
        self.runtime.mkdir()
        self._programs = folder / "programs"
        self._programs.mkdir()
        self._program("date", 'echo "$NOW"')
        self._program("sleep", 'echo "$1"')

    def _program(self, name: str, line: str) -> None:
        path = self._programs / name
        path.write_text(f"#!/bin/sh\n{line}\n")
        path.chmod(0o755)

    def _run(self, step: str, result: str = "") -> str:
        environment = {
            "PATH": f"{self._programs}:{os.environ['PATH']}",
            "RUNTIME_DIRECTORY": str(self.runtime),
            "NOW": str(self.now),
            "SERVICE_RESULT": result,
        }
        done = subprocess.run(
            ["/bin/sh", SCRIPT, step], env=environment, capture_output=True, text=True, check=True
        )
        assert done.stderr == ""
        return done.stdout

    def start(self) -> int:
        """The seconds for which the start waits."""
        pause = int(self._run("before-start"))
        self.now += pause
        return pause

    def end(self, result: str, after: int = 1) -> None:
        self.now += after
        self._run("after-end", result)


@pytest.fixture
def unit(tmp_path: Path) -> Unit:
    return Unit(tmp_path)


def failures(unit: Unit, count: int) -> list[int]:
    """The pauses of a first start and of those that follow this many failures."""
    pauses = [unit.start()]
    for _ in range(count):
        unit.end("exit-code")
        pauses.append(unit.start())
    return pauses


def test_each_failure_makes_the_pause_longer_up_to_half_a_minute(unit: Unit) -> None:
    assert failures(unit, 9) == [0, 0, 1, 2, 4, 8, 16, 30, 30, 30]


def test_ten_minutes_of_play_make_the_pause_short_again(unit: Unit) -> None:
    failures(unit, 6)
    unit.end("watchdog", after=601)
    assert unit.start() == 0


def test_a_person_who_restarts_the_table_does_not_wait(unit: Unit) -> None:
    failures(unit, 6)
    unit.end("success")
    assert failures(unit, 1) == [0, 0]


def test_a_clock_that_was_set_back_makes_nobody_wait(unit: Unit) -> None:
    failures(unit, 6)
    unit.now -= 86_400
    assert unit.start() == 0
