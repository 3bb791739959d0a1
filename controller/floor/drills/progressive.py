"""Drill `progressive`: random interleavings of a linked progressive with everything that can go wrong."""

import asyncio
import time
from collections import Counter
from pathlib import Path
from typing import Final

from controller.floor.drills.interleavings.exploration import explore_all
from controller.floor.drills.interleavings.invariants import Violation
from controller.floor.drills.outcome import Findings, StoredRows
from controller.jackpot.books import Unbalanced
from controller.jackpot.linked.entries import Contradiction, NotNext

SEEDS: Final = 10_000
PART: Final = 80
"""Seeds between two looks at the time."""
BROKEN: Final = (Violation, Unbalanced, Contradiction, NotNext, AssertionError)
"""What a broken promise raises."""


async def progressive(_folder: Path, seconds: float) -> Findings:
    """All seeds, or as many as the time allows. Published and stored: entries of the log."""
    return await asyncio.to_thread(_explored, time.monotonic() + seconds)


def _explored(end: float) -> Findings:
    found, count = Findings(), Counter[str]()
    for first in range(0, SEEDS, PART):
        try:
            count += explore_all(range(first, first + PART))
        except BROKEN as error:
            found.faults.append(str(error) or type(error).__name__)
            break
        if time.monotonic() > end:
            break
    found.check(count["claims"] > 0, "no claim was decided")
    found.kills, found.published = count["crashes"], count["entries"]
    found.rows = StoredRows(stored=count["entries"])
    return found
