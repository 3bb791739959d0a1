"""Disturbances of a table at one step of a round, right after somebody did something; each ends by itself."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Final

from tests.system.drill.world import KINDS, World

Deed = Callable[[World], object]
UNPLUGGED = 1.5
FROZEN = 20.0
HOURS: Final = 3600.0


def _ask(kind: str, do: str, seconds: float, world: World) -> None:
    world.ask(kind, do, seconds=seconds)


def _set_clock(hours: float, world: World) -> None:
    world.ahead += hours * HOURS


def _slow_disk(seconds: float, world: World) -> None:
    """For a few writes."""
    world.slow = seconds
    world.run(3 * seconds)
    world.slow = 0.0


DEEDS: Final[Mapping[str, Deed]] = {
    **{f"{kind} unplugged": partial(_ask, kind, "hang-up", UNPLUGGED) for kind in KINDS},
    **{f"{kind} without power": partial(_ask, kind, "reboot", UNPLUGGED) for kind in KINDS},
    **{f"{kind} frozen": partial(_ask, kind, "freeze", FROZEN) for kind in KINDS},
    "daemon frozen": lambda world: world.freeze(FROZEN),
    "clock ahead": partial(_set_clock, 5.0),
    "clock back": partial(_set_clock, -7.0),
    "disk slow": partial(_slow_disk, 0.2),
    "disk very slow": partial(_slow_disk, 2.0),
}
