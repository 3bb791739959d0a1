"""The housing of a simulated device: doors with sensors, and a case that notices when it is opened (section
13.1 of firmware-protocol/README.md)."""

from collections.abc import Callable
from typing import Final

from drivers.messages import Door, EventBody, Tamper
from drivers.protocol.codes import TamperCause
from drivers.sim.physical_state import PhysicalState
from drivers.sim.requests import FlagField, IntegerField, Verb

MOST_DOORS: Final = 199
"""The greatest number of a door; those from 100 on are the maker's."""
Record = Callable[[EventBody, float], None]


class Enclosure:
    """What a hand does to doors and case. `record` stores an event; without power nothing is stored, and the
    doors that are open then are reported at the next boot."""

    def __init__(self, surroundings: PhysicalState, record: Record) -> None:
        self._surroundings, self._record = surroundings, record
        self.verbs = {
            "door": Verb(self._door, {"which": IntegerField(1, MOST_DOORS, 1), "open": FlagField()}),
            "case": Verb(self._case),
        }

    def boot(self, now: float) -> None:
        """The power came: reports each open door again."""
        for which in self._open_doors():
            self._record(Door(which, open=True), now)

    def _door(self, now: float, which: int, **opened: bool) -> None:
        is_open, doors = opened["open"], self._open_doors()
        if is_open == (which in doors):
            return
        self._surroundings.put(doors=sorted({*doors, which} if is_open else {*doors} - {which}))
        self._record(Door(which, is_open), now)

    def _case(self, now: float) -> None:
        self._record(Tamper(TamperCause.CASE, 1), now)

    def _open_doors(self) -> list[int]:
        return list(self._surroundings.get("doors", []))
