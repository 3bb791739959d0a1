"""A check as a row of a table."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from enum import Enum

from drivers.conformance.probe import Probe
from drivers.protocol.codes import DeviceClass

ALL = frozenset(DeviceClass)
TRIES = 3
"""Of a check that measures times."""


class Need(Enum):
    """What a check needs besides a port; the value says why it was not run without it."""

    SEALED = "sealed sessions only"
    CLEAR = "unsealed sessions only"
    TIRELESS = "asks for a thousand deeds; needs --control"
    LONG = "takes minutes; name it with --only"


@dataclass(frozen=True, slots=True)
class Check:
    """`name` is stable, `section` that of firmware-protocol/README.md. `shows`: what holds when it passes;
    `look_for`: where the firmware may be wrong when it fails."""

    name: str
    section: str
    shows: str
    look_for: str
    run: Callable[[Probe], Awaitable[None]]
    needs: tuple[Need, ...] = ()
    classes: frozenset[DeviceClass] = ALL
    session: bool = True
    """It makes no sense when no session can be opened."""
    tries: int = 1
    """What measures times may be disturbed by this computer's other work: it fails if it fails each time."""
