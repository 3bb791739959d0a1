"""The parts of the web server that routes use."""

import asyncio
from collections.abc import Callable, Mapping
from contextlib import aclosing, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, TypeVar

from fastapi import Depends, HTTPException, Request
from starlette.types import ASGIApp

from controller.access.people import Role
from controller.access.sessions import LIMITS, SessionLimits
from controller.calendar import ReportSettings
from controller.monitor.authorization import NO_AUTHENTICATION, Authentication
from controller.monitor.house import House, no_house
from controller.monitor.live.changes import ChangeNotifier
from controller.monitor.past.worker import Ask, WorkerPool
from controller.socket.client import CoreClient
from controller.table.record.views import TableView
from controller.telemetry.host import HostStatus

View = Callable[[], TableView]
Found = TypeVar("Found")
SHOWN_WITHIN = 2.0
"""Seconds within which the view shows what an act has done."""


def _no_outage() -> None:
    return None


@dataclass(frozen=True, slots=True)
class WebContext:
    """The parts that routes use. `core`: the table's core; `view`: the table as it is now, which raises
    HTTPException 503 without a core. Both are used in the event loop's thread only.

    Without `journal`, pages of the past are not available.
    """

    core: CoreClient
    view: View
    changes: ChangeNotifier
    journal: Path | None = None
    authentication: Authentication = NO_AUTHENTICATION
    tls: bool = False
    host_names: tuple[str, ...] = ()
    """The host names of this server, besides localhost and IP addresses."""
    metrics_token: str = ""
    """What other computers need to read the metrics; empty if they cannot."""
    steady: Callable[[], float] | None = None
    """A monotonic clock in seconds, for rate limits and caches; None disables both."""
    public: bool = True
    """Whether anyone may open the live page without signing in."""
    worker: Ask = field(default_factory=WorkerPool)
    """Runs queries about the past."""
    machine: Callable[[], HostStatus] = HostStatus
    report_settings: Callable[[], ReportSettings] = ReportSettings
    """When gaming days and shifts begin."""
    own_metrics: Callable[[], str] = str
    """Metrics of this process in the text format of Prometheus."""
    session_limits: Mapping[Role, SessionLimits] = field(default_factory=lambda: LIMITS)
    house: Callable[[], House] = no_house
    """The branding of the house as it is now."""
    outage: Callable[[], ASGIApp | None] = _no_outage
    """What answers instead of the pages while no table plays; None while one does."""

    async def metrics(self) -> str:
        """The metrics of the core, then those of this process. Raises CallRefused or CoreAway."""
        return await self.core.metrics() + self.own_metrics()

    async def shown(self, pick: Callable[[TableView], Found | None]) -> Found:
        """What `pick` finds in the view as soon as it finds it. Raises HTTPException 503 if the view does not
        show it in time, although it is done."""
        with suppress(TimeoutError):
            async with asyncio.timeout(SHOWN_WITHIN), aclosing(self.changes.follow(0)) as following:
                async for _ in following:
                    if (found := pick(self.view())) is not None:
                        return found
        raise HTTPException(503, "it is done, but the page does not show it yet: look again")


def journal_path(context: WebContext) -> Path:
    """The path of the journal. Raises HTTPException 503 without a journal."""
    if context.journal is None:
        raise HTTPException(503, "there is no journal here")
    return context.journal


async def _web_context(request: Request) -> WebContext:
    context: WebContext = request.app.state.context
    return context


Context = Annotated[WebContext, Depends(_web_context)]
"""The type of a route's parameter that receives the context."""
