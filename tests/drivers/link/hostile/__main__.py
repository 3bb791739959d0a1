"""Many worlds: `python -m tests.drivers.link.hostile --frames 1000000 --seed 1 --processes 2`.

Each is of one class of device, one sort of trouble and a seed of its own. A world that breaks a promise ends
all with its trace and says how to play it again.
"""

import argparse
import sys
import time
from multiprocessing import Pool

from tests.drivers.link.hostile.worlds import Figures, Play, play, plays

MOST_GROWN = 20_000
"""Blocks of memory that later worlds may hold on top of what the earlier ones did."""


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


def _asked() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.drivers.link.hostile")
    parser.add_argument("--frames", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--processes", type=int, default=2)
    return parser.parse_args()


if __name__ == "__main__":
    _run(_asked())
