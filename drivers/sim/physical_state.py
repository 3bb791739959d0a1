"""What outlives the power of a simulated device besides its memory: cards in the shoe, chips on the spots."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any


class PhysicalState:
    """Named values in a file next to the device's memory. Without a path they last as long as this object."""

    def __init__(self, path: Path | None = None) -> None:
        self._path = path
        self._record: dict[str, Any] = {}
        if path is not None and path.exists():
            self._record = json.loads(path.read_text())

    @property
    def untouched(self) -> bool:
        """Whether nothing was ever put here."""
        return not self._record

    def get(self, name: str, default: Any) -> Any:
        return self._record.get(name, default)

    def unreported(self, conditions: Mapping[str, int]) -> tuple[str, ...]:
        """The names of the conditions that differ from the last report, `put(reported=conditions)`. A
        condition that was never reported was 0 or False."""
        reported = self.get("reported", {})
        return tuple(name for name, value in conditions.items() if value != reported.get(name, 0))

    def put(self, **values: object) -> None:
        """Stores values. The file is replaced as a whole, so that a killed simulator never leaves half of
        it."""
        self._record.update(values)
        if self._path is None:
            return
        fresh = self._path.with_name(self._path.name + ".new")
        fresh.write_text(json.dumps(self._record))
        fresh.replace(self._path)
