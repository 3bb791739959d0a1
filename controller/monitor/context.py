"""What the web server is made of: the seams that the table has towards its pages."""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from fastapi import HTTPException
from prometheus_client import CollectorRegistry

from controller.access.desk import AccessDesk
from controller.calendar import House
from controller.monitor.authorization import LOCKED, Door
from controller.monitor.live.changes import Changes
from controller.monitor.past.worker import Aside, Ask
from controller.monitor.telemetry.host import Machine
from controller.table.record.events import Decision
from controller.table.record.preview import Preview
from controller.table.record.views import TableView

View = Callable[[], TableView]


class Desk(Protocol):
    """Where people's words go: the table."""

    async def decide(self, decision: Decision) -> None:
        """Returns when it is on disk and done; raises NotAllowed."""

    def preview(self, decision: Decision) -> Preview:
        """What would follow; raises NotAllowed."""


@dataclass(frozen=True, slots=True)
class Parts:
    """`view` is called in the event loop's thread, only to answer somebody.

    Without a `journal` nothing that is past can be asked for, without a `desk` nothing can be said.
    """

    view: View
    registry: CollectorRegistry
    changes: Changes
    journal: Path | None = None
    desk: Desk | None = None
    door: Door = LOCKED
    access: AccessDesk | None = None
    """Where people say who they are; without one nobody can sign in."""
    closed: Callable[[], str] = str
    """Why the accounts cannot be used; empty if they can."""
    tls: bool = False
    names: tuple[str, ...] = ()
    """What this server is called, besides localhost and any address."""
    steady: Callable[[], float] | None = None
    """A clock that never jumps, for limits and caches; None: no limits."""
    watching: bool = True
    """Anyone who reaches the address may look at the live page."""
    ask: Ask = field(default_factory=Aside)
    """Where questions about the past go."""
    machine: Callable[[], Machine] = Machine
    reports: House = field(default_factory=House)
    """When gaming days and shifts begin."""


def past(parts: Parts) -> Path:
    """The journal; raises HTTPException 503 where there is none to be asked."""
    if parts.journal is None:
        raise HTTPException(503, "there is no journal here")
    return parts.journal
