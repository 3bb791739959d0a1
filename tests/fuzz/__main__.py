"""Coverage-guided search for bytes that break a promise: `python -m tests.fuzz TARGET --seconds N`.

A crash, a broken promise or memory that grows without bound ends it with a trace and exit status 77. What it
found stays in build/fuzz/TARGET; `python -m tests.fuzz.corpus` renews the kept corpus from there.
Needs atheris (CPython before 3.13).
"""

import argparse
import sys
from pathlib import Path

import atheris

with atheris.instrument_imports(include=["drivers.link", "drivers.adapters"]):
    from tests.fuzz.targets import TARGETS

from tests.fuzz.corpus import kept
from tests.fuzz.watched import Watched

FOUND = Path("build/fuzz")
LONGEST = 2_048
"""Bytes of one input."""


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
    parser.add_argument("--found", type=Path, default=FOUND, help="where what is found is kept")
    return parser.parse_args()


if __name__ == "__main__":
    asked = _asked()
    _search(asked.target, asked.seconds, asked.found / asked.target, asked.seed)
