"""Faults that last as long as the table plays."""

import shutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Final

from drivers.sim.cable import Faults
from tests.system.drill.table import Table

AWAY: Final = 3600.0
"""Seconds: longer than any play here."""
MISSING: Final = "display"
"""A table can be configured without this device."""


@dataclass(frozen=True, slots=True)
class PermanentFault:
    """`begin` causes the fault. `bound`: seconds within which a round ends, added to those of a table without
    faults. `asks`: the sentence that names what play waits for, if it cannot go on until a person has made
    `change` to the configuration."""

    begin: Callable[[Table], None]
    bound: float = 0.0
    asks: str = ""
    change: Callable[[Table], None] = lambda _table: None


def _slow_disk(seconds: float, table: Table) -> None:
    table.troubles.slow_down(seconds, AWAY)


def _bad_cables(faults: Faults, table: Table) -> None:
    table.world.lay_cables(faults)


def _no_mirror(table: Table) -> None:
    shutil.rmtree(table.folder / "mirror")


def _unplug(table: Table) -> None:
    table.world.ask(MISSING, "hang-up", seconds=AWAY)


def _leave_out(table: Table) -> None:
    table.world.stop()
    table.world.configure(table.configured(without=MISSING))


A_WRITE: Final = 60.0
"""The most writes of a round that a slow disk delays."""
PERMANENT: Final[Mapping[str, PermanentFault]] = {
    **{
        f"disk that takes {seconds:g} s": PermanentFault(partial(_slow_disk, seconds), A_WRITE * seconds)
        for seconds in (0.2, 1.0, 2.0, 2.9)
    },
    **{
        f"cables that lose {share:.0%}": PermanentFault(
            partial(_bad_cables, Faults(drop=share, flip=share / 2, duplicate=share / 2))
        )
        for share in (0.05, 0.2)
    },
    "mirror that is gone": PermanentFault(_no_mirror),
    "display that is gone": PermanentFault(_unplug, asks=f"Missing: the {MISSING}", change=_leave_out),
}
