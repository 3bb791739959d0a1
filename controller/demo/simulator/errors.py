"""Why an act at the simulated table is not done."""

from typing import ClassVar


class NotDone(Exception):
    """Nothing was done. The text names the thing, the value, and what is allowed."""

    status: ClassVar[int]
    """Of the HTTP response."""


class BadAct(NotDone):
    """The act names something that does not exist at this table."""

    status = 422


class Impossible(NotDone):
    """The act is not possible now: nobody could do it at a real table, or the device refuses it."""

    status = 409


class DeviceAbsent(NotDone):
    """The simulated device does not run."""

    status = 503
