"""The simulated shoe's own record of every card that left, independent of the link and of its memory."""

from pathlib import Path


class CardLog:
    """One line a card: `count card monotonic_seconds`; without a path only the last count is kept."""

    def __init__(self, path: Path | None) -> None:
        self._path = path
        lines = path.read_text().splitlines() if path is not None and path.exists() else []
        self.last = int(lines[-1].split()[0]) if lines else 0
        """The count of the last card that was logged, 0 for none."""

    def write(self, count: int, card: str, now: float) -> None:
        """Add a card."""
        self.last = count
        if self._path is not None:
            with self._path.open("a") as file:
                file.write(f"{count} {card} {now:.6f}\n")
