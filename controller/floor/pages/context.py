"""The parts of the floor's pages that routes use."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Annotated, Protocol

from fastapi import Depends, Path, Request

from controller.access.people import Person
from controller.floor.acknowledgements import Acknowledgement
from controller.floor.approvals.desk import CommandDesk
from controller.floor.notices.desk import NoticeDesk
from controller.floor.pages.channels import TileChannels
from controller.floor.pages.view import FloorView
from controller.floor.past.settings import PastSettings
from controller.floor.tables.tile import TileAlert
from controller.monitor.authorization import Authentication, WebSession
from controller.monitor.house import NO_HOUSE, House
from controller.monitor.live.changes import ChangeNotifier
from controller.monitor.navigation import ACCOUNT, API_LINK, NavigationLink
from controller.monitor.past.worker import Ask
from controller.monitor.sign_in.page import PATH as SIGN_IN_PAGE
from controller.monitor.sign_in.place import Place
from controller.property.subjects import NAME
from controller.socket.params import Confirmation

FLOOR = "/floor"
TableName = Annotated[str, Path(pattern=f"^{NAME.pattern}$", description="The name of the table")]
SIGN_IN = NavigationLink(f"{SIGN_IN_PAGE}?next={FLOOR}", "Sign in", ())
ROUNDS = "/floor/rounds"
REPORTS = "/floor/reports"
NOTICES = "/floor/notices"
NAVIGATION = (
    NavigationLink(FLOOR, "Floor", ("supervisor", "technician", "auditor")),
    NavigationLink(ROUNDS, "Rounds", ("supervisor", "auditor")),
    NavigationLink(REPORTS, "Reports", ("supervisor", "auditor")),
    NavigationLink(NOTICES, "Notices", ("supervisor", "technician", "auditor")),
    API_LINK,
)


class AlertDesk(Protocol):
    """Acknowledges the floor's own alerts."""

    def trail(self, table: str) -> Sequence[Acknowledgement]:
        """Who acknowledged what about this table, newest first."""

    def open_alert(self, table: str, number: int) -> TileAlert:
        """Raises LookupError if there is no such open alert. `table` is empty for the floor itself."""

    async def acknowledge(self, table: str, number: int, person: Person, why: str) -> None:
        """Raises LookupError as `open_alert`, NotActing, StoreError and JournalError."""


class SecretCheck(Protocol):
    """Checks the secret of a person who has signed in."""

    async def confirm(self, token: str, given: Confirmation | None, address: str) -> None:
        """Raises CallRefused 403, which names the kind of secret, without it or for a wrong one."""


@dataclass(frozen=True, slots=True)
class FloorContext:
    """`public`: whether anyone may look at the tiles without signing in, as on a screen at the wall. `clock`:
    Unix time. `steady`: a monotonic clock in seconds, for rate limits; None disables them."""

    place: Place
    channels: TileChannels
    changes: ChangeNotifier
    authentication: Authentication
    alerts: AlertDesk
    commands: CommandDesk
    people: SecretCheck
    notices: NoticeDesk
    worker: Ask
    """Answers questions about the past."""
    host_names: tuple[str, ...] = ()
    public: bool = False
    clock: Callable[[], float] = time.time
    steady: Callable[[], float] | None = None
    past: PastSettings | None = None
    """What is stored; without it, no page about the past is available."""
    house: House = NO_HOUSE

    @property
    def view(self) -> FloorView:
        return self.channels.view

    def look(self) -> None:
        """Read the tiles, and notify the pages if any has changed."""
        changed = self.view.refresh()
        if self.channels.advance(changed=changed) or changed:
            self.changes.notify()

    async def viewer(self, request: Request) -> Person | None:
        """The person who looks at a page that may be public; None without a session."""
        session: WebSession | None = getattr(request.state, "session", None)
        if session is None:
            session = await self.authentication.session(request)
        return session.person if session else None


def links_for(person: Person | None) -> tuple[NavigationLink, ...]:
    """The links that this person may follow. `person` is None on a page that is open without signing in."""
    if person is None:
        return (SIGN_IN,)
    return tuple(link for link in NAVIGATION if person.role in link.roles)


def home_path(person: Person) -> str:
    """The person's first page. A dealer, whom no page serves, sees their own account."""
    return next((link.path for link in links_for(person)), ACCOUNT)


async def _floor_context(request: Request) -> FloorContext:
    context: FloorContext = request.app.state.context
    return context


Context = Annotated[FloorContext, Depends(_floor_context)]
"""The type of a route's parameter that receives the context."""
