"""`python -m tests.firmware.long`: the firmware on emulated boards, all checks and many losses of power.

- The whole of `tableside device conformance`: shoe and shuffler, clear and sealed.
- Rounds of play in which the boards' power fails (`kill -9`) `--kills` times: no event is lost, none comes
  twice, and the cards of the journal are those that left the shoe.
"""

import argparse
import asyncio
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import product
from pathlib import Path
from typing import Final

from controller.demo.settings import DemoSettings
from tests.drivers.conformance.soak import Device, running
from tests.firmware.stage import ON_BOARDS, BoardStage
from tests.firmware.test_conformance import board, keys
from tests.fixtures.process_table import fork_server
from tests.system.books import faults
from tests.system.mishaps import DEVICE_KILLS, anywhere, programme
from tests.system.performance import Performance, perform

AT_ONCE: Final = 50
"""Kills of one play."""
HOUR: Final = 3600.0
ROUNDS: Final = 3
"""At least, and as many more as the kills take."""
HARMS: Final = [DEVICE_KILLS[kind] for kind in (*ON_BOARDS, "shoe")]
"""More of them hit the shoe, which has more to lose."""


def main() -> int:
    """The exit status: 0 if nothing failed."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--kills", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--parts", nargs="+", choices=PARTS, default=[*PARTS])
    options = parser.parse_args()
    failures = [failure for part in options.parts for failure in PARTS[part](options)]
    sys.stdout.write("".join(f"FAILED {failure}\n" for failure in failures) or "nothing failed\n")
    return int(bool(failures))


def conformance(_options: argparse.Namespace) -> Iterator[str]:
    """All checks, two boards at a time: most of a run is waiting."""
    boards = [board(kind, sealed=sealed) for kind, sealed in product(ON_BOARDS, (False, True))]
    with tempfile.TemporaryDirectory() as name, ThreadPoolExecutor(2) as pool:
        keys(Path(name))
        for device, run in zip(
            boards, pool.map(lambda each: examined(each, Path(name)), boards), strict=True
        ):
            sys.stdout.write(f"{device.name}: {run.stdout.splitlines()[-1]}\n")
            if run.returncode:
                yield f"{device.name}: {run.stdout}{run.stderr}"


def examined(device: Device, folder: Path) -> subprocess.CompletedProcess[str]:
    """The command, with all checks."""
    with running(device, folder) as command:
        return subprocess.run(command, capture_output=True, text=True, timeout=HOUR, check=False)


def kills(options: argparse.Namespace) -> Iterator[str]:
    """Plays, each with some of the kills."""
    befell: Counter[str] = Counter()
    for first in range(0, options.kills, AT_ONCE):
        seed, number = options.seed + first, min(AT_ONCE, options.kills - first)
        with tempfile.TemporaryDirectory() as name, fork_server():
            played = asyncio.run(play(Path(name), seed, number))
        befell.update(played.befell)
        wrong = [*played.disputes, *faults(played.books)]
        sys.stdout.write(
            f"kills {befell.total()}: {len(played.books.cards)} cards in {played.books.rounds} rounds\n"
        )
        sys.stdout.flush()
        if len(played.befell) != number:
            yield f"seed {seed}: only {len(played.befell)} of {number} kills"
        yield from (f"seed {seed}: {fault}" for fault in wrong)
    sys.stdout.write(f"kills by phase: {dict(befell)}\n")


async def play(folder: Path, seed: int, number: int) -> Performance:
    """A play with so many kills."""
    scene = DemoSettings(seed=seed, decks=6, options={"burn_cards": "3"})
    mishaps = programme(f"boards {seed}", HARMS, anywhere(f"boards {seed}", number))
    return await perform(folder, scene, ROUNDS, mishaps, limit=HOUR, build=BoardStage)


PARTS: Final = {"conformance": conformance, "kills": kills}

if __name__ == "__main__":
    raise SystemExit(main())
