"""What the table asks of its devices: the verbs of the drivers, and nothing of how they are carried out."""

from dataclasses import dataclass, fields
from typing import Protocol

from drivers.messages import CommandBody
from drivers.protocol.codes import LevelState


class Fixture(Protocol):
    """Any device of the table."""

    def commit(self, number: int) -> None:
        """All its events up to `number` are on disk."""

    def reserve_key(self) -> int:
        """A fresh key for an action."""

    def act(self, key: int, record: CommandBody) -> None:
        """Do this once; the key is on disk."""


class ShoeFixture(Fixture, Protocol):
    """The shoe."""

    def permit(self, up_to: int) -> None:
        """Cards may leave until its count is `up_to`, which is on disk."""

    def lock(self) -> None:
        """No card may leave."""


class SensorsFixture(Fixture, Protocol):
    """The bet sensors."""

    def show(self, lamps: bytes) -> None:
        """All 54 lamps."""


class ConsoleFixture(Fixture, Protocol):
    """The dealer's console."""

    def prompt(self, text: str, seat: int = 0) -> None:
        """What is due."""

    def key_lamps(self, mask: int) -> None:
        """Which keys are legal."""

    def buzz(self, ms: int) -> None:
        """Make them look."""


class DisplayFixture(Fixture, Protocol):
    """The players' display."""

    def text(self, line: int, text: str) -> None:
        """One line of it."""

    def level(self, number: int, cents: int, state: LevelState = LevelState.RUNS) -> None:
        """The amount of a jackpot."""


@dataclass(frozen=True, slots=True)
class Fixtures:
    """The devices of one table."""

    shoe: ShoeFixture
    sensors: SensorsFixture
    console: ConsoleFixture | None = None
    shuffler: Fixture | None = None
    display: DisplayFixture | None = None

    def named(self) -> dict[str, Fixture]:
        """Those that there are, by name."""
        found = {field.name: getattr(self, field.name) for field in fields(self)}
        return {name: fixture for name, fixture in found.items() if fixture is not None}
