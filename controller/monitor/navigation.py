"""The pages with a frame, and who goes where: a further page is one more entry."""

from dataclasses import dataclass

from controller.access.people import ROLES, Person, Role


@dataclass(frozen=True, slots=True)
class NavigationLink:
    """A page that the frame leads to."""

    path: str
    title: str
    roles: tuple[Role, ...]


ACCOUNT = "/account"
"""Where everybody's own name leads."""
NAVIGATION = (
    NavigationLink("/", "Live", ROLES),
    NavigationLink("/console", "Console", ("dealer",)),
    NavigationLink("/supervisor", "Table", ("supervisor", "auditor")),
    NavigationLink("/rounds", "Rounds", ("supervisor", "auditor")),
    NavigationLink("/reports", "Reports", ("supervisor", "auditor")),
    NavigationLink("/audit", "Audit", ("supervisor", "auditor")),
    NavigationLink("/technician", "Technician", ("technician",)),
)


def links_for(person: Person) -> tuple[NavigationLink, ...]:
    """Where this person may go."""
    return tuple(link for link in NAVIGATION if person.role in link.roles)


def home_path(person: Person) -> str:
    """Where they begin: the first page that is theirs alone."""
    return next(link.path for link in NAVIGATION[1:] if person.role in link.roles)
