"""Keys of commands: they grow by one and are never used for a second action."""


class Keys:
    """One count for a device's commands, over all its sessions."""

    def __init__(self, highest: int = 0) -> None:
        self._highest = highest

    def next(self) -> int:
        """A fresh key above all known ones."""
        self._highest += 1
        return self._highest

    def pass_over(self, key: int) -> None:
        """Somebody knows `key`: the next ones are above it."""
        self._highest = max(self._highest, key)
