"""Why play is suspended: reasons that end by themselves, and reasons that a person must clear."""

from dataclasses import dataclass, field

from controller.table.record.causes import kind_of
from controller.table.state.test_session import DeviceTest

IN_TEST_MODE = "Test mode: {}"


@dataclass(slots=True)
class Suspension:
    """Reasons by what they are about, oldest first.

    `passing` reasons end with their cause (a device that is missing, an open door); `lasting` ones need
    a supervisor. `testing` is test mode, which only leaving it ends.
    """

    passing: dict[str, str] = field(default_factory=dict)
    lasting: dict[str, str] = field(default_factory=dict)
    testing: DeviceTest | None = None

    @property
    def reasons(self) -> tuple[str, ...]:
        """Every reason, those that need a person first."""
        tested = (IN_TEST_MODE.format(self.testing.label),) if self.testing else ()
        return (*tested, *self.lasting.values(), *self.passing.values())

    @property
    def held_devices(self) -> frozenset[str]:
        """Devices that are held off because they come and go."""
        return frozenset(about.partition(" ")[2] for about in self.passing if kind_of(about) == "held")

    def __bool__(self) -> bool:
        return bool(self.testing or self.lasting or self.passing)
