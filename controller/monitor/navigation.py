"""The pages in the navigation bar, and the roles that they serve."""

from dataclasses import dataclass

from controller.access.people import ROLES, Person, Role


@dataclass(frozen=True, slots=True)
class NavigationLink:
    """A link in the navigation bar."""

    path: str
    title: str
    roles: tuple[Role, ...]


ACCOUNT = "/account"
"""The page behind the link of the person's own name."""
REFERENCE = "/api/v1"
"""The page that describes the API."""
API_LINK = NavigationLink(REFERENCE, "API", ("technician", "auditor"))
NAVIGATION = (
    NavigationLink("/", "Live", ROLES),
    NavigationLink("/console", "Console", ("dealer",)),
    NavigationLink("/supervisor", "Table", ("supervisor", "auditor")),
    NavigationLink("/rounds", "Rounds", ("supervisor", "auditor")),
    NavigationLink("/reports", "Reports", ("supervisor", "auditor")),
    NavigationLink("/audit", "Audit", ("supervisor", "auditor")),
    NavigationLink("/technician", "Technician", ("technician",)),
    API_LINK,
)


def links_for(person: Person) -> tuple[NavigationLink, ...]:
    """The links that this person may follow."""
    return tuple(link for link in NAVIGATION if person.role in link.roles)


def home_path(person: Person) -> str:
    """The person's first page: the first link for their role after the live page."""
    return next(link.path for link in NAVIGATION[1:] if person.role in link.roles)
