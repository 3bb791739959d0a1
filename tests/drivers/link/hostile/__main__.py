"""Many worlds: `python -m tests.drivers.link.hostile --frames 1000000 --seed 1 --processes 2`.

Each world has one class of device, one sort of trouble and its own seed. A broken promise ends the run with a
trace and the command that repeats it. The run also fails when it did not reach what it is for.
"""

import argparse
import sys
import time
from collections import Counter
from multiprocessing import Pool
from typing import Final

from tests.drivers.link.hostile.attacker import KINDS
from tests.drivers.link.hostile.line import FATES
from tests.drivers.link.hostile.worlds import Figures, Play, play, plays
from tests.purposes import Purposes, verdict

MOST_GROWN = 20_000
"""Blocks of memory that later worlds may hold on top of what the earlier ones did."""
PURPOSES: Final[Purposes] = {
    "frames": 0,
    **dict.fromkeys((*FATES, "duplicate", "retransmitted", "naks"), 20_000),
    **dict.fromkeys((*KINDS, "lie, refused", "replayed, refused", "reflected, refused"), 100_000),
    **dict.fromkeys(("host dies", "device dies", "cable pulled", "somebody sleeps"), 100_000),
    **dict.fromkeys(("power lost in an action", "lost", "executed", "cards"), 100_000),
}
"""What a run must reach, from this many frames on. `lost`: events that a full ring dropped and the host was
told about."""


def _say(figures: Figures, seconds: float) -> None:
    print(f"{figures.frames:,} frames in {figures.worlds} worlds and {seconds:.0f} s")
    for name, counts in (("cable", figures.cable), ("ends", figures.ends), ("befell", figures.befell)):
        print(f"  {name}: " + ", ".join(f"{word} {count:,}" for word, count in sorted(counts.items())))


def _run(asked: argparse.Namespace) -> None:
    whole, began, held = Figures(), time.monotonic(), list[int]()
    todo: list[Play] = plays(asked.frames, asked.seed)
    with Pool(asked.processes) as pool:
        for figures in pool.imap_unordered(play, todo):
            whole = whole + figures
            held.append(figures.held)
            if sys.stdout.isatty():
                print(f"\r{whole.frames:,} frames", end="", flush=True)
    _say(whole, time.monotonic() - began)
    early, late = (max(part, default=0) for part in (held[: len(held) // 2], held[len(held) // 2 :]))
    print(f"  memory: {early:,} blocks at most in the first half, {late:,} in the second")
    if late > early + MOST_GROWN:
        sys.exit("memory grows with the number of worlds")
    if missing := verdict(PURPOSES, whole.frames, met(whole)):
        sys.exit(missing)


def met(figures: Figures) -> Counter[str]:
    """The counts over all worlds, by name."""
    return Counter(figures.cable) + figures.ends + figures.befell


def _asked() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.drivers.link.hostile")
    parser.add_argument("--frames", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--processes", type=int, default=2)
    return parser.parse_args()


if __name__ == "__main__":
    _run(_asked())
