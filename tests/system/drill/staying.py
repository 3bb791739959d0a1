"""Faults that stay as long as the table plays."""

import shutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Final

from drivers.sim.cable import Faults
from tests.system.drill.table import Table

AWAY: Final = 3600.0
"""Seconds: longer than anything is played here."""
MISSING: Final = "display"
"""A table may be configured without it."""


@dataclass(frozen=True, slots=True)
class StayingFault:
    """`begin` brings it about. `bound`: seconds, on top of what a table without faults may take, in which a
    round ends. `asks`: the sentence that names what play waits for, where it cannot go on until a person has
    changed the configuration, which is `change`."""

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
"""Writes of a round, at most, each of which a slow disk delays."""
STAYING: Final[Mapping[str, StayingFault]] = {
    **{
        f"disk that takes {seconds:g} s": StayingFault(partial(_slow_disk, seconds), A_WRITE * seconds)
        for seconds in (0.2, 1.0, 2.0, 2.9)
    },
    **{
        f"cables that lose {share:.0%}": StayingFault(
            partial(_bad_cables, Faults(drop=share, flip=share / 2, duplicate=share / 2))
        )
        for share in (0.05, 0.2)
    },
    "mirror that is gone": StayingFault(_no_mirror),
    "display that is gone": StayingFault(_unplug, asks=f"Missing: the {MISSING}", change=_leave_out),
}
