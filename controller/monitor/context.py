"""The interface between the table and its web server."""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Protocol

from fastapi import Depends, HTTPException, Request

from controller.access.desk import AccessDesk
from controller.calendar import ReportSettings
from controller.monitor.authorization import NO_AUTHENTICATION, Authentication
from controller.monitor.live.changes import ChangeNotifier
from controller.monitor.past.worker import Ask, WorkerPool
from controller.table.record.events import Decision
from controller.table.record.preview import Preview
from controller.table.record.views import TableView
from controller.telemetry.host import HostStatus
from controller.telemetry.prometheus.registry import CollectorRegistry

View = Callable[[], TableView]


class DecisionDesk(Protocol):
    """The table, as far as it receives people's decisions."""

    async def decide(self, decision: Decision) -> None:
        """Carry out the decision; returns once it is on disk and done. Raises NotAllowed."""

    def preview(self, decision: Decision) -> Preview:
        """The consequences that the decision would have. Raises NotAllowed."""


@dataclass(frozen=True, slots=True)
class WebContext:
    """The parts of the table that routes use. `view` is called in the event loop's thread for each answer.

    Without `journal`, pages of the past are not available. Without `decisions`, nobody can send decisions.
    """

    view: View
    registry: CollectorRegistry
    changes: ChangeNotifier
    journal: Path | None = None
    decisions: DecisionDesk | None = None
    authentication: Authentication = NO_AUTHENTICATION
    access: AccessDesk | None = None
    """Without it, nobody can sign in."""
    accounts_fault: Callable[[], str] = str
    """Why the accounts cannot be used; empty if they can."""
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
    host: Callable[[], HostStatus] = HostStatus
    report_settings: ReportSettings = field(default_factory=ReportSettings)
    """When gaming days and shifts begin."""


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
