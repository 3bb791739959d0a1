"""The table's own screen, in its own process: it opens the dealer's console again and again, while others use
the pages."""

import sys
from collections import Counter
from contextlib import AbstractContextManager
from functools import partial

from benchmarks.processors import others
from tests.fixtures.load_process import load_process, run_load, there
from tests.system.secured_pages import SCREEN, Visitor

PAUSE = 0.5
"""Seconds between an answer and the next request."""
SERVED = b"200"
SLOWEST = "slowest, ms"


def kiosk(port: int, dealer: str) -> AbstractContextManager[Counter[str]]:
    """It is there inside the block. Counts what was served and what was not, and the slowest answer."""
    return load_process("benchmarks.kiosk", str(port), dealer, processors=others())


async def _look(port: int, dealer: str, counts: Counter[str]) -> None:
    visitor = Visitor(port, SCREEN, "/console", f"Cookie: {dealer}")
    there()
    try:
        await visitor.come(PAUSE)
    finally:
        served = visitor.answers.count(SERVED)
        counts["served"], counts["refused"] = served, len(visitor.answers) - served
        counts[SLOWEST] = round(visitor.slowest * 1e3)


if __name__ == "__main__":
    run_load(partial(_look, int(sys.argv[1]), sys.argv[2]))
