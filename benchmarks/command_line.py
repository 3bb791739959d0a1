"""How long the help of the command line takes, each time in a new process."""

import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median
from time import perf_counter

from controller.commands.app import COMMANDS, GROUPS, Command

RUNS = 7


@dataclass(frozen=True, slots=True)
class HelpTimes:
    """Medians in seconds: the overview, the slowest help of a group, and that of a command. `slowest`: the
    command."""

    overview: float
    group: float
    command: float
    slowest: str


def measure(
    runs: int = RUNS, groups: Sequence[str] = tuple(GROUPS), commands: Sequence[Command] = COMMANDS
) -> HelpTimes:
    group = max(_median(runs, name) for name in groups)
    command, slowest = max((_median(runs, *one.name.split()), one.name) for one in commands)
    return HelpTimes(_median(runs), group, command, slowest)


def _median(runs: int, *words: str) -> float:
    return median(_timed(*words) for _ in range(runs))


def _timed(*words: str) -> float:
    begun = perf_counter()
    subprocess.run([sys.executable, "-m", "controller", *words, "--help"], capture_output=True, check=True)
    return perf_counter() - begun
