"""A check as a row of a table."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from enum import Enum

from drivers.conformance.probe import Probe
from drivers.protocol.codes import DeviceClass

ALL = frozenset(DeviceClass)
TRIES = 3
"""Tries for a check that measures times."""


class Need(Enum):
    """What a check needs besides a port. The value says why it was not run without it."""

    SEALED = "sealed sessions only"
    CLEAR = "unsealed sessions only"
    TIRELESS = "asks for a thousand deeds; needs --control"
    PROFILE = "needs --profile"
    LONG = "takes minutes; name it with --only"


@dataclass(frozen=True, slots=True)
class Check:
    """`name` is stable; `section` is one of firmware-protocol/README.md. `shows`: what holds if it passes.
    `look_for`: where the firmware may be wrong if it fails."""

    name: str
    section: str
    shows: str
    look_for: str
    run: Callable[[Probe], Awaitable[None]]
    needs: tuple[Need, ...] = ()
    classes: frozenset[DeviceClass] = ALL
    session: bool = True
    """Whether it needs a session that can be opened."""
    tries: int = 1
    """It fails if every try fails. Other work of this computer can disturb a check that measures times."""
