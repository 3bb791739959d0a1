"""Keys of commands: they grow by one and are never used for a second action."""

from drivers.errors import DeviceFault
from drivers.link.bounds import HIGHEST, STEP


def agreed(known: int, seen: int) -> int:
    """The key above which new keys are given, if we know keys up to `known` and the device has seen keys up
    to `seen`.

    Known keys far above what the device has seen come from another memory, or from a device that sent
    impossible numbers. This device would refuse them, so they do not count. State commands use keys up, too,
    so half of the step is left to them.
    """
    return seen if known > seen + STEP // 2 else max(known, seen)


class Keys:
    """One count for a device's commands, over all its sessions."""

    def __init__(self, highest: int = 0) -> None:
        self._highest = highest

    def next(self) -> int:
        """A new key above all known ones. Raises DeviceFault when there is none left."""
        if self._highest >= HIGHEST:
            raise DeviceFault("keys", "its keys are used up: format its memory")
        self._highest += 1
        return self._highest

    def pass_over(self, key: int) -> None:
        """The journal knows `key`: new keys are above it."""
        self._highest = max(self._highest, key)

    def begin(self, seen: int) -> None:
        """A session begins with a device that has seen the action keys up to `seen`."""
        self._highest = agreed(self._highest, seen)
