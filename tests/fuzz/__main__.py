"""Coverage-guided search for bytes that break a promise: `python -m tests.fuzz TARGET --seconds N`.

A crash, a broken promise or memory that grows without bound ends it with a trace and exit status 77. What it
found stays in the folder of `--found`; `python -m tests.fuzz.corpus` renews the kept corpus from there.
Needs atheris (CPython before 3.13).
"""

import argparse
import gc
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import atheris

with atheris.instrument_imports(include=["drivers.link", "drivers.adapters"]):
    from tests.fuzz.targets import TARGETS

from tests.fuzz.corpus import kept

WARM = 5_000
"""Runs after which caches are full."""
LOOK = 5_000
"""Runs between two looks at the memory."""
MOST_GROWN = 20_000
"""Blocks of memory that may come on top of what a warm target holds: one block a run is seen at once."""
LONGEST = 2_048
"""Bytes of one input."""


class LeakError(Exception):
    """Memory grows with the number of runs."""


class Watched:
    """A target whose memory is looked at."""

    def __init__(self, run: Callable[[bytes], str]) -> None:
        self._run = run
        self._runs = 0
        self._held = 0

    def __call__(self, data: bytes) -> None:
        """One run."""
        self._run(data)
        self._runs += 1
        if self._runs == WARM:
            self._held = _blocks()
        elif self._runs % LOOK == 0:
            grown = _blocks() - self._held
            if grown > MOST_GROWN:
                raise LeakError(f"{grown} blocks of memory more after {self._runs} runs than after {WARM}")


def _blocks() -> int:
    gc.collect()
    return sys.getallocatedblocks()


def _search(name: str, seconds: int, found: Path, seed: int) -> None:
    found.mkdir(parents=True, exist_ok=True)
    for number, data in enumerate([*TARGETS[name].seeds, *kept(name)]):
        (found / f"kept-{number:04}").write_bytes(data)
    options = (
        f"-max_total_time={seconds}",
        f"-max_len={LONGEST}",
        f"-seed={seed}",
        "-rss_limit_mb=1024",
        "-timeout=20",
        "-print_final_stats=1",
        f"-artifact_prefix={found}-broken-",
    )
    atheris.Setup([sys.argv[0], *options, str(found)], Watched(TARGETS[name].run))
    atheris.Fuzz()


def _asked() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz")
    parser.add_argument("target", choices=TARGETS)
    parser.add_argument("--seconds", type=int, default=600)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--found", type=Path, help="where to keep what was found; else it is forgotten")
    return parser.parse_args()


if __name__ == "__main__":
    asked = _asked()
    with tempfile.TemporaryDirectory(prefix="tableside-fuzz-") as folder:
        _search(asked.target, asked.seconds, asked.found or Path(folder) / asked.target, asked.seed)
