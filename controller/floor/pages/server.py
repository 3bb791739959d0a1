"""Serves the floor's pages until it is cancelled."""

import asyncio
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from ssl import SSLContext
from typing import Protocol

import structlog

from controller.access.desk import AccessDesk
from controller.access.errors import AccountsUnusable
from controller.access.people import Role
from controller.access.sessions import LIMITS, SessionLimits
from controller.calendar import Calendar
from controller.floor.acknowledgements import AcknowledgementTrail
from controller.floor.approvals.acts import NotActing
from controller.floor.approvals.desk import CommandDesk, Sending
from controller.floor.approvals.standing import Standing
from controller.floor.floor_log import SharedJournal
from controller.floor.notices.desk import NoticeDesk, NoticeRules
from controller.floor.notices.register import NoticeRegister
from controller.floor.pages.alert_desk import FloorAlertDesk
from controller.floor.pages.application import build
from controller.floor.pages.channels import TileChannels
from controller.floor.pages.context import FloorContext, home_path, links_for
from controller.floor.pages.people import FloorPeople
from controller.floor.pages.rendering import render_tile
from controller.floor.pages.view import FloorView, HouseState, house_state
from controller.floor.past.questions import ABOUT_REPORTS, MODULE
from controller.floor.past.settings import PastSettings
from controller.floor.tables.picture import FloorPicture
from controller.monitor.house import NO_HOUSE, House
from controller.monitor.live.changes import ChangeNotifier
from controller.monitor.past.worker import Ask, WorkerPool
from controller.monitor.server.address import Address
from controller.monitor.server.server import serve_at
from controller.monitor.sign_in.authentication import SessionAuthentication
from controller.monitor.sign_in.place import Place
from controller.process.tasks import run_parts

LOOK = 0.5
"""Seconds between two looks at the tiles while anybody follows them, and between two changes of a page, so
that a tile changes at most twice a second."""
ACCESS = "access"
"""The kind of the entries about signing in."""
ACCESS_BEAT = 1.0
"""Seconds between two looks for sessions that are over."""


class Acts(Sending, SharedJournal, Protocol):
    """What people at the floor do: commands by the instance that may act, the rest by either one."""

    @property
    def standing(self) -> Standing:
        """Whether this instance acts, or else which one does."""


@dataclass(frozen=True, slots=True)
class FloorServer:
    """`heading`: the name of the property. `accounts`: the floor's own file of accounts. `folder`: where
    it is written who acknowledged what. `acts` sends what people do, and `picture` shows it; both are used in
    the thread of the event loop. `port` 0: any free one. `names`: host names of this computer. `public`:
    anyone may look at the tiles without signing in."""

    heading: str
    accounts: Path
    folder: Path
    picture: FloorPicture
    acts: Acts
    host: str = "127.0.0.1"
    port: int = 8090
    tls: SSLContext | None = None
    names: tuple[str, ...] = ()
    public: bool = False
    limits: Mapping[Role, SessionLimits] = field(default_factory=lambda: LIMITS)
    past: PastSettings | None = None
    notice: int = 72
    """Hours between a notice and its begin."""
    house: House = NO_HOUSE
    on_address: Callable[[str], None] = lambda _url: None
    """Gets the URL of the pages once they are served."""

    async def run(self) -> None:
        """Serve until cancelled. Raises AccountsUnusable or StoreError."""
        changes = ChangeNotifier(spacing=LOOK)
        with (
            AccessDesk(self.accounts, time.time, time.monotonic, self.limits, dealer_from=()) as desk,
            AcknowledgementTrail(self.folder) as trail,
            NoticeRegister(self.folder) as notices,
            Address(self.host, self.port, self.tls) as address,
        ):
            alerts = FloorAlertDesk(self.picture, trail, self.acts, time.time)
            workers = WorkerPool(MODULE, (ABOUT_REPORTS,))
            context = self._context(desk, alerts, notices, changes, workers)

            def report(why: str) -> None:
                if why:
                    structlog.get_logger("tableside.floor").warning("no page", why=why)
                else:
                    self.on_address(address.url)

            async with workers:
                await run_parts(
                    (
                        _look(context),
                        alerts.run(),
                        _expire(desk),
                        _record_access(desk, self.acts),
                        serve_at(address, build(context), changes, report),
                    )
                )

    def _context(
        self,
        desk: AccessDesk,
        alerts: FloorAlertDesk,
        notices: NoticeRegister,
        changes: ChangeNotifier,
        worker: Ask,
    ) -> FloorContext:
        people, picture = FloorPeople(desk), self.picture
        calendar = self.past.calendar if self.past else Calendar()
        rules = NoticeRules(self.notice, calendar, lambda: picture.tiles)
        place = Place(
            people,
            lambda: self.heading,
            tls=self.tls is not None,
            session_limits=self.limits,
            home=home_path,
            links=links_for,
            computer="the floor's computer",
            dealers=False,
        )
        return FloorContext(
            place,
            TileChannels(FloorView(lambda: picture.tiles, render_tile, self._rest), time.monotonic),
            changes,
            SessionAuthentication(people),
            alerts,
            CommandDesk(picture, self.acts, time.time),
            people,
            NoticeDesk(notices, rules, self.acts.note, time.time),
            worker,
            host_names=(self.host, *self.names),
            public=self.public,
            steady=time.monotonic,
            past=self.past,
            house=self.house,
        )

    def _rest(self) -> HouseState:
        return house_state(self.picture, self.acts.version, self.acts.standing)


async def _look(context: FloorContext) -> None:
    """Look at the tiles while anybody follows them, until cancelled."""
    while True:
        if context.changes.followers:
            context.look()
        await asyncio.sleep(LOOK)


async def _expire(desk: AccessDesk) -> None:
    """End sessions that are over, until cancelled."""
    while True:
        with suppress(AccountsUnusable):  # as on a full disk; each request says so
            desk.expire_and_sum_up()
        await asyncio.sleep(ACCESS_BEAT)


async def _record_access(desk: AccessDesk, acts: Acts) -> None:
    """Write who signed in, and who failed to, into the floor's own journal, until cancelled. What it does not
    take now stays in the file of accounts."""
    while True:
        with suppress(AccountsUnusable, NotActing):
            for number, record in desk.pending_records():
                await acts.note(ACCESS, asdict(record))
                desk.confirm_record(number)
        await asyncio.sleep(ACCESS_BEAT)
