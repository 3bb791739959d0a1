"""What lies in or on a simulated device and outlives its power: cards in the shoe, chips on the spots."""

import json
from pathlib import Path
from typing import Any


class PhysicalState:
    """A small record, kept in a file beside the device's memory; without a file only as long as it lives."""

    def __init__(self, path: Path | None = None) -> None:
        self._path = path
        self._record: dict[str, Any] = {}
        if path is not None and path.exists():
            self._record = json.loads(path.read_text())

    @property
    def untouched(self) -> bool:
        """Nothing was ever put here."""
        return not self._record

    def get(self, name: str, default: Any) -> Any:
        """What was put under this name."""
        return self._record.get(name, default)

    def put(self, **values: object) -> None:
        """Keep these values; the file is replaced as a whole, so a killed simulator never leaves half."""
        self._record.update(values)
        if self._path is None:
            return
        fresh = self._path.with_name(self._path.name + ".new")
        fresh.write_text(json.dumps(self._record))
        fresh.replace(self._path)
