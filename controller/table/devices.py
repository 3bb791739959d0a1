"""What the table asks of its devices: the verbs of the drivers, and nothing of how they are carried out."""

from dataclasses import dataclass, fields
from typing import Protocol

from drivers.messages import CommandBody
from drivers.protocol.codes import LevelState


class TableDevice(Protocol):
    """Any device of the table."""

    def commit(self, number: int) -> None:
        """All its events up to `number` are on disk."""

    def reserve_key(self) -> int:
        """A fresh key for an action."""

    def act(self, key: int, record: CommandBody) -> None:
        """Do this once; the key is on disk."""


class ShoeDevice(TableDevice, Protocol):
    """The shoe."""

    def permit(self, up_to: int) -> None:
        """Cards may leave until its count is `up_to`, which is on disk."""

    def lock(self) -> None:
        """No card may leave."""


class SensorsDevice(TableDevice, Protocol):
    """The bet sensors."""

    def show(self, lamps: bytes) -> None:
        """All 54 lamps."""


class ConsoleDevice(TableDevice, Protocol):
    """The dealer's console."""

    def prompt(self, text: str, seat: int = 0) -> None:
        """What is due."""

    def key_lamps(self, mask: int) -> None:
        """Which keys are legal."""

    def buzz(self, ms: int) -> None:
        """Make them look."""


class DisplayDevice(TableDevice, Protocol):
    """The players' display."""

    def text(self, line: int, text: str) -> None:
        """One line of it."""

    def level(self, number: int, cents: int, state: LevelState = LevelState.RUNS) -> None:
        """The amount of a jackpot."""


@dataclass(frozen=True, slots=True)
class TableDevices:
    """The devices of one table."""

    shoe: ShoeDevice
    sensors: SensorsDevice
    console: ConsoleDevice | None = None
    shuffler: TableDevice | None = None
    display: DisplayDevice | None = None

    def by_name(self) -> dict[str, TableDevice]:
        """Those that there are, by name."""
        found = {field.name: getattr(self, field.name) for field in fields(self)}
        return {name: fixture for name, fixture in found.items() if fixture is not None}
