"""The whole application behind its real door, with one person of each role who is signed in."""

from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import httpx
from fastapi import FastAPI
from prometheus_client import CollectorRegistry

from controller.access.desk import AccessDesk
from controller.access.people import ROLES, Role
from controller.access.sessions import LIMITS, Limits
from controller.monitor.changes import Changes
from controller.monitor.entrance.cookies import CSRF, SESSION
from controller.monitor.entrance.door import Entrance
from controller.monitor.parts import Desk, Parts
from controller.monitor.web import build
from controller.table.view import TableView
from tests.controller.access.house import FROM, Clock
from tests.controller.monitor.samples import BETTING

NOBODY = ""
ADDRESS = "http://127.0.0.1"


@dataclass(frozen=True)
class Staff:
    """`sessions`: cookies by role."""

    app: FastAPI
    access: AccessDesk
    clock: Clock
    sessions: dict[str, dict[str, str]] = field(default_factory=dict)

    @asynccontextmanager
    async def browser(
        self, role: str = NOBODY, *, forged: bool = False, address: str = "127.0.0.1"
    ) -> AsyncIterator[httpx.AsyncClient]:
        """What somebody of this role asks with; `forged`: it does not know what only our pages know."""
        cookies = self.sessions.get(role, {})
        headers = {"X-CSRF-Token": cookies[CSRF]} if cookies and not forged else {}
        transport = httpx.ASGITransport(self.app, client=(address, 1))
        async with httpx.AsyncClient(
            transport=transport, base_url=ADDRESS, cookies=cookies, headers=headers
        ) as client:
            yield client

    def said(self) -> list[tuple[str, str]]:
        """What the journal is to be told, and of whom, but accounts and who came."""
        told = (told for _, told in self.access.untold())
        return [(one.what, one.who) for one in told if one.what not in {"account", "signed in"}]


@contextmanager
def staffed(
    folder: Path,
    look: Callable[[], TableView] = lambda: BETTING,
    desk: Desk | None = None,
    *,
    tls: bool = False,
    limits: Mapping[Role, Limits] = LIMITS,
) -> Iterator[Staff]:
    """Streams end at once: nothing changes here."""
    clock, changes = Clock(), Changes()
    changes.close()
    with AccessDesk(folder / "access.db", clock, clock, limits) as access:
        app = build(
            Parts(
                look, CollectorRegistry(), changes, None, desk,
                door=Entrance(access), access=access, watching=False, tls=tls,
            )
        )  # fmt: skip
        staff = Staff(app, access, clock)
        for role in ROLES:
            account = access.accounts.add(role.title(), role, "root")
            token, session = access.sessions.begin(account, FROM)
            staff.sessions[role] = {SESSION: token, CSRF: session.csrf}
        yield staff
