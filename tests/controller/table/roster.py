"""Accounts for tests."""

from dataclasses import dataclass, field

from controller.access.people import Person, Role
from controller.characters import same


@dataclass
class Roster:
    """Persons by name, who may all sign in; `why`: why the accounts cannot be read, empty if they can."""

    people: dict[str, Role] = field(default_factory=dict)
    why: str = ""

    def holder(self, name: str) -> Person | None:
        if self.why:
            raise LookupError(self.why)
        return next((Person(one, role) for one, role in self.people.items() if same(one, name)), None)


def staffed() -> Roster:
    """The roster that most tests use."""
    return Roster({"Dee": "dealer", "Ann": "supervisor", "Bob": "supervisor", "Sue": "supervisor"})
