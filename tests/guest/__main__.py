"""`python -m tests.guest`: the table's computer as a guest, the long run.

- Each of the six games with a plug pulled in each phase, ModemManager installed beside. - The service stopped
and started, restarted, killed, and held until its watchdog ends it, each in a round. - The package upgraded
to other versions with a round in play. - A round dealt with fingers on the screen of the kiosk. - A kernel
that panics, and the watchdog of the board. - `--cuts` losses of power in play, on disks that lose what was
not flushed; and the same on disks that are deaf to a flush, which must be noticed.
"""

import argparse
import asyncio
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from controller.demo.settings import DemoSettings
from tests.guest.cuts import CutTable
from tests.guest.kiosk import kiosk
from tests.guest.life import PARTS, office
from tests.guest.table import package
from tests.guest.watchdog import watchdog

COMPUTERS = {"kiosk": kiosk, "watchdog": watchdog}
"""Parts that need computers of their own."""
CUTS = "cuts"
ALL = [*PARTS, *COMPUTERS, CUTS]
DEAF = 12
"""Losses of power within which disks that are deaf to a flush must be noticed."""


def main() -> int:
    """The exit status: 0 if nothing failed."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--cuts", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--parts", nargs="+", choices=ALL, default=ALL)
    options = parser.parse_args()
    status = 0
    for failure in _failures(options.parts, options.cuts, options.seed):
        print(f"FAILED {failure}", flush=True)
        status = 1
    print("something failed" if status else "nothing failed", flush=True)
    return status


def _failures(parts: list[str], cuts: int, seed: int) -> Iterator[str]:
    with tempfile.TemporaryDirectory(prefix="guest-deb-") as place:
        deb = package(Path(place))
        if lived := [PARTS[name] for name in parts if name in PARTS]:
            with office(deb) as (guest, folder):
                for part in lived:
                    yield from part(guest, folder)
        for name in parts:
            if name in COMPUTERS:
                yield from COMPUTERS[name](deb)
        if CUTS in parts:
            yield from _cut(deb, cuts, seed)


def _cut(deb: Path, cuts: int, seed: int) -> list[str]:
    with tempfile.TemporaryDirectory(prefix="guest-") as place:
        table = CutTable(Path(place), DemoSettings(game="blackjack-x", seed=seed), deb, seed)
        return asyncio.run(_losses(table, cuts))


async def _losses(table: CutTable, cuts: int) -> list[str]:
    """What a table lost with its power."""
    report = await table.play(cuts)
    print(f"honest disks: {report}", flush=True)
    if report.faults:
        return report.faults
    if not report.torn:
        return [f"{cuts} losses of power tore no commit"]
    deaf = await table.play(DEAF, deaf=True)
    print(f"deaf disks: {deaf}", flush=True)
    return (
        [] if deaf.faults else [f"{DEAF} losses of power on disks that are deaf to a flush were not noticed"]
    )


if __name__ == "__main__":
    sys.exit(main())
