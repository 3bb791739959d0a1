"""Why play stands still: sentences that go by themselves, and sentences that a person must clear."""

from dataclasses import dataclass, field


@dataclass(slots=True)
class Suspension:
    """Reasons by what they are about, oldest first.

    `passing` reasons end with their cause (a device that is missing, an open door); `lasting` ones need
    a supervisor.
    """

    passing: dict[str, str] = field(default_factory=dict)
    lasting: dict[str, str] = field(default_factory=dict)

    @property
    def reasons(self) -> tuple[str, ...]:
        """Every reason, those that need a person first."""
        return (*self.lasting.values(), *self.passing.values())

    def __bool__(self) -> bool:
        return bool(self.lasting or self.passing)
