"""What the pages about signing in need to know of the place that they belong to, a table or a floor."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Annotated, Protocol

from fastapi import Depends, Request

from controller.access.people import Person, Role, SecretKind
from controller.access.sessions import LIMITS, SessionLimits
from controller.monitor.navigation import NavigationLink, home_path, links_for
from controller.socket.results import ReadTokenView, Roster, SessionView, SignedIn


class People(Protocol):
    """Accounts and sessions. Each method raises CallRefused, and CoreAway if they are kept by another process
    that does not answer. `address`: that of the person's computer."""

    async def roster(self) -> Roster:
        """What the sign-in page shows."""

    async def session(self, token: str, *, active: bool = True) -> SessionView | None:
        """Whose session it is; None if it is over. `active`: the person does something now."""

    async def read_token(self, token: str, address: str) -> ReadTokenView:
        """Which token for the API this is. Raises CallRefused 401, which says why it must not be used."""

    async def sign_in(
        self, kind: SecretKind, name: str, secret: str, address: str, *, at_table: bool = False
    ) -> SignedIn:
        """Begin a session."""

    async def sign_out(self, token: str, address: str) -> None:
        """End a session."""

    async def set_secret(self, token: str, old: str, new: str, address: str) -> None:
        """Change the person's own password or PIN, and end the session."""

    async def set_language(self, token: str, language: str) -> None:
        """The person of this session reads pages in this language, wherever they sign in."""

    async def forged(self, token: str | None, address: str, what: str) -> None:
        """Record a request that a page of another server made. `what`: method and path."""


@dataclass(frozen=True, slots=True)
class Place:
    """`name`: the heading of the pages; it raises HTTPException 503 while they have none. `home` and `links`:
    a person's first page, and the links in their navigation bar. `computer`: where the command `tableside
    users` changes the accounts. `dealers`: whether dealers sign in here."""

    people: People
    name: Callable[[], str]
    tls: bool = False
    session_limits: Mapping[Role, SessionLimits] = field(default_factory=lambda: LIMITS)
    home: Callable[[Person], str] = home_path
    links: Callable[[Person], tuple[NavigationLink, ...]] = links_for
    computer: str = "the table's computer"
    dealers: bool = True


async def _this_place(request: Request) -> Place:
    place: Place = request.app.state.place
    return place


ThisPlace = Annotated[Place, Depends(_this_place)]
"""The type of a route's parameter that receives the place."""
