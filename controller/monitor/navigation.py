"""The pages with a frame, and who goes where: a further page is one more entry."""

from dataclasses import dataclass

from controller.access.people import ROLES, Person, Role


@dataclass(frozen=True, slots=True)
class Way:
    """A page that the frame leads to."""

    path: str
    title: str
    roles: tuple[Role, ...]


ACCOUNT = "/account"
"""Where everybody's own name leads."""
WAYS = (
    Way("/", "Live", ROLES),
    Way("/console", "Console", ("dealer",)),
    Way("/supervisor", "Table", ("supervisor", "auditor")),
    Way("/rounds", "Rounds", ("supervisor", "auditor")),
    Way("/reports", "Reports", ("supervisor", "auditor")),
    Way("/audit", "Audit", ("supervisor", "auditor")),
    Way("/technician", "Technician", ("technician",)),
)


def ways(person: Person) -> tuple[Way, ...]:
    """Where this person may go."""
    return tuple(way for way in WAYS if person.role in way.roles)


def home(person: Person) -> str:
    """Where they begin: the first page that is theirs alone."""
    return next(way.path for way in WAYS[1:] if person.role in way.roles)
