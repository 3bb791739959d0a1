"""What the web server is made of: the seams that the table has towards its pages."""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Protocol

from fastapi import Depends, HTTPException, Request
from prometheus_client import CollectorRegistry

from controller.access.desk import AccessDesk
from controller.calendar import ReportSettings
from controller.monitor.authorization import NO_AUTHENTICATION, Authentication
from controller.monitor.live.changes import ChangeNotifier
from controller.monitor.past.worker import Ask, WorkerPool
from controller.monitor.telemetry.host import HostStatus
from controller.table.record.events import Decision
from controller.table.record.preview import Preview
from controller.table.record.views import TableView

View = Callable[[], TableView]


class DecisionDesk(Protocol):
    """Where people's words go: the table."""

    async def decide(self, decision: Decision) -> None:
        """Returns when it is on disk and done; raises NotAllowed."""

    def preview(self, decision: Decision) -> Preview:
        """What would follow; raises NotAllowed."""


@dataclass(frozen=True, slots=True)
class WebContext:
    """`view` is called in the event loop's thread, only to answer somebody.

    Without a `journal` nothing that is past can be asked for, without a `desk` nothing can be said.
    """

    view: View
    registry: CollectorRegistry
    changes: ChangeNotifier
    journal: Path | None = None
    decisions: DecisionDesk | None = None
    authentication: Authentication = NO_AUTHENTICATION
    access: AccessDesk | None = None
    """Where people say who they are; without one nobody can sign in."""
    accounts_fault: Callable[[], str] = str
    """Why the accounts cannot be used; empty if they can."""
    tls: bool = False
    host_names: tuple[str, ...] = ()
    """What this server is called, besides localhost and any address."""
    steady: Callable[[], float] | None = None
    """A clock that never jumps, for limits and caches; None: no limits."""
    public: bool = True
    """Anyone who reaches the address may look at the live page."""
    worker: Ask = field(default_factory=WorkerPool)
    """Where questions about the past go."""
    host: Callable[[], HostStatus] = HostStatus
    report_settings: ReportSettings = field(default_factory=ReportSettings)
    """When gaming days and shifts begin."""


def journal_path(context: WebContext) -> Path:
    """The journal; raises HTTPException 503 where there is none to be asked."""
    if context.journal is None:
        raise HTTPException(503, "there is no journal here")
    return context.journal


async def _web_context(request: Request) -> WebContext:
    context: WebContext = request.app.state.context
    return context


Context = Annotated[WebContext, Depends(_web_context)]
"""For the parameter of a route."""
