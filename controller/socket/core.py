"""What the table socket serves: the parts of the core as its methods use them."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from math import inf
from typing import Protocol

from controller.access.desk import AccessDesk
from controller.access.sessions import Session
from controller.property.sealing import SealingKey
from controller.property.signed import SignedMessage
from controller.property.status import TableStatus
from controller.property.subjects import PropertySubjects
from controller.socket.codes import CallError, Code
from controller.socket.results import HaltedView, Head
from controller.table.inbox import Act
from controller.table.record.events import ActTaken, CommandTaken, Decision, FloorCommand
from controller.table.record.preview import Preview
from controller.table.record.views import TableView
from controller.table.state.table_state import TableState
from controller.table.upkeep.floor_copy import FloorCopy
from controller.telemetry.host import HostStatus

METRICS_INTERVAL = 1.0
"""Least seconds between two texts of metrics."""


class TableDesk(Protocol):
    """The table, as far as people act on it."""

    state: TableState

    async def act(self, decision: Decision, act: Act) -> ActTaken:
        """Carry out the decision once; returns when it is on disk and done. Raises NotAllowed."""

    async def command(self, command: FloorCommand) -> CommandTaken:
        """Carry out a command of the floor once; returns when its answer is on disk."""

    async def decide(self, decision: Decision) -> None:
        """Carry out the decision; returns when it is on disk and done. Raises NotAllowed."""

    def preview(self, decision: Decision) -> Preview:
        """The consequences that the decision would have. Raises NotAllowed."""


class StatusSource(Protocol):
    """What the table says to the floor."""

    def status(self) -> TableStatus | None:
        """Now; None while nothing may be shown."""

    def signed(self, status: TableStatus) -> SignedMessage:
        """The status as it is sent. Raises StatusError if it is too long."""


@dataclass(frozen=True, slots=True)
class Outgoing:
    """A message to a linked progressive, not signed yet. `name` tells it from the others that wait for an
    answer; `every`: seconds after which it is sent again."""

    name: str
    subject: str
    payload: bytes
    every: float


class ProgressiveSource(Protocol):
    """What the table and the linked progressives say to each other."""

    def hear(self, message: SignedMessage) -> str:
        """Take an amount. Returns why it counts for nothing; empty if it counts."""

    def outgoing(self) -> Iterable[Outgoing]:
        """What the progressives must hear now, or again."""

    def signed(self, message: Outgoing) -> SignedMessage:
        """The message as it is sent."""


class Cached:
    """A text that is made at most once in `seconds`. `clock`: a monotonic clock in seconds."""

    def __init__(
        self, make: Callable[[], str], clock: Callable[[], float], seconds: float = METRICS_INTERVAL
    ) -> None:
        self._make, self._clock, self._seconds = make, clock, seconds
        self._text, self._made = "", -inf

    def __call__(self) -> str:
        if self._clock() - self._made >= self._seconds:
            self._text, self._made = self._make(), self._clock()
        return self._text


@dataclass(frozen=True, slots=True)
class FloorTrust:
    """The floor that the table belongs to: the subjects of the property, the table's name in it, and the
    public keys whose signatures count. `sealing` opens directories; None: the table takes none."""

    subjects: PropertySubjects
    table: str
    keys: frozenset[bytes]
    sealing: SealingKey | None = None


@dataclass(frozen=True, slots=True)
class Core:
    """The parts. Callables are called in the event loop's thread.

    `view` returns None while nothing may be shown. `report` gets a satellite's own state: what it is about,
    and a sentence, empty if all is well. A halted table has a reason in `halted`, and no `table`.
    `floor` is None for a table that no floor watches, `trust` for one that takes no messages of a floor,
    `progressive` for one that plays for no linked progressive. `copy` is what the floor has of the journal.
    """

    version: str
    name: str
    game: str
    table: TableDesk | None
    access: AccessDesk | None
    accounts_fault: Callable[[], str]
    view: Callable[[], TableView | None]
    machine: Callable[[], HostStatus]
    head: Callable[[], Head]
    metrics: Callable[[], str]
    report: Callable[[str, str], None]
    halted: HaltedView | None = None
    floor: StatusSource | None = None
    trust: FloorTrust | None = None
    copy: FloorCopy = field(default_factory=FloorCopy)
    progressive: ProgressiveSource | None = None

    def desk(self) -> TableDesk:
        """The table. Raises CallError 503 if it is halted."""
        if self.table is None:
            why = self.halted.why if self.halted else "it is not open"
            raise CallError(Code.UNAVAILABLE, f"the table is halted: {why}")
        return self.table

    def accounts(self) -> AccessDesk:
        """The accounts. Raises CallError 503 if nobody can sign in."""
        if self.access is None:
            raise CallError(Code.UNAVAILABLE, f"nobody can sign in: the accounts: {self.accounts_fault()}")
        return self.access

    def session(self, token: str, *, active: bool = True) -> Session:
        """The session of a token. Raises CallError 401 if it is over, 503 if nobody can sign in."""
        session = self.accounts().sessions.find(token, active=active)
        if session is None:
            raise CallError(Code.NO_SESSION, "sign in first")
        return session
