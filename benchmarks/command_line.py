"""How long the help of the command line takes, each time in a new process."""

import subprocess
import sys
from dataclasses import dataclass
from statistics import median
from time import perf_counter

from controller.commands.app import GROUPS

RUNS = 7


@dataclass(frozen=True, slots=True)
class HelpTimes:
    """Medians in seconds: the overview, the slowest help of a group, the help of `tableside table run`."""

    overview: float
    group: float
    command: float


def measure(runs: int = RUNS) -> HelpTimes:
    groups = [_median(runs, name) for name in GROUPS]
    return HelpTimes(_median(runs), max(groups), _median(runs, "table", "run"))


def _median(runs: int, *words: str) -> float:
    return median(_timed(*words) for _ in range(runs))


def _timed(*words: str) -> float:
    begun = perf_counter()
    subprocess.run([sys.executable, "-m", "controller", *words, "--help"], capture_output=True, check=True)
    return perf_counter() - begun
