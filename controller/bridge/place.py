"""A row of a journal up to which something is so, and the file that keeps how far a receiver has got."""

import json
import os
from dataclasses import asdict, dataclass
from pathlib import Path

from controller.table.record.codec import from_json


class PlaceError(Exception):
    """The file cannot be used. The message names it, and says what to do."""


@dataclass(frozen=True, slots=True)
class Place:
    """Up to this row of a journal. `hash`: that of the row, in hexadecimal digits; row 0 is the place
    before the first row."""

    journal: str
    row: int
    hash: str

    @property
    def digest(self) -> bytes:
        return bytes.fromhex(self.hash)


@dataclass(frozen=True, slots=True)
class PlaceFile:
    """Another process that is killed finds in the file what was stored last; after a loss of power, what was
    last stored with `on_disk`."""

    path: Path

    def read(self) -> Place | None:
        """None if nothing was stored yet. Raises PlaceError."""
        try:
            text = self.path.read_text("ascii")
        except FileNotFoundError:
            return None
        except (OSError, UnicodeDecodeError) as error:
            raise PlaceError(f"{self.path} cannot be read: {error}") from error
        try:
            place = from_json(Place, json.loads(text))
            bytes.fromhex(place.hash)
        except (ValueError, TypeError, KeyError, AttributeError) as error:
            why = "is damaged; delete it, and the bridge goes on with what happens from now on"
            raise PlaceError(f"{self.path} {why}") from error
        else:
            return Place(place.journal, place.row, place.hash)

    def store(self, place: Place, *, on_disk: bool = False) -> None:
        """Raises PlaceError."""
        fresh = self.path.with_name(f"{self.path.name}.new")
        try:
            with fresh.open("w", encoding="ascii") as file:
                file.write(json.dumps(asdict(place)) + "\n")
                file.flush()
                if on_disk:
                    os.fsync(file.fileno())
            fresh.replace(self.path)
        except OSError as error:
            raise PlaceError(f"{self.path} cannot be written: {error.strerror}") from error
