"""What the methods of the table socket answer. `controller.table.record.codec` reads them back."""

from dataclasses import dataclass
from typing import Literal

from controller.access.people import Person, Role
from controller.socket.params import PeerKind


@dataclass(frozen=True, slots=True)
class AmountHeard:
    """`why`: why the amount counts for nothing."""

    heard: bool
    why: str


@dataclass(frozen=True, slots=True)
class HaltedView:
    """Why the table is halted and what to do. Times in Unix time."""

    title: str
    why: str
    means: str
    steps: tuple[str, ...]
    since: float
    restarts_at: float | None
    """When the table starts anew by itself; None if a person has to start it."""


@dataclass(frozen=True, slots=True)
class Hello:
    """Who answers, and what this client may do."""

    version: str
    table: str
    game: str
    kind: PeerKind | Literal["any"]
    methods: tuple[str, ...]
    halted: HaltedView | None = None
    epoch: str = ""
    """What tells the table's journal from every other one; empty while the table is halted."""


@dataclass(frozen=True, slots=True)
class SignedIn:
    """A session that has begun. `until`: its end in any case; `failures`: how often somebody failed to sign
    in as this person since they last signed in; `language`: the code of the one that they chose, empty
    without a choice. Times in Unix time."""

    token: str
    csrf: str
    person: Person
    begun: float
    until: float
    failures: int
    language: str = ""


@dataclass(frozen=True, slots=True)
class SessionView:
    """A session. Times in Unix time; `address`: where it began; `failures`: as in SignedIn; `since`: when the
    person's password or PIN was set, None if they have none; `badge`: whether they have one."""

    person: Person
    csrf: str
    begun: float
    until: float
    address: str
    failures: int
    since: float | None = None
    badge: bool = False


@dataclass(frozen=True, slots=True)
class ReadTokenView:
    """A token with which another system reads the API. `until`: its end in Unix time."""

    name: str
    until: float


@dataclass(frozen=True, slots=True)
class OtherSession:
    """Somebody's session, without its secrets."""

    name: str
    role: Role
    begun: float
    address: str


@dataclass(frozen=True, slots=True)
class SessionList:
    """How many people are signed in; for a supervisor, also who."""

    count: int
    sessions: tuple[OtherSession, ...] = ()


@dataclass(frozen=True, slots=True)
class Roster:
    """What the sign-in page shows: whether there are any accounts, the dealers who may sign in, and why
    nobody can sign in."""

    any: bool
    dealers: tuple[str, ...]
    fault: str = ""


@dataclass(frozen=True, slots=True)
class Taken:
    """What became of an act: the journal's row of the decision, and the number of the request that it made;
    0 if it made none."""

    row: int
    request: int = 0


@dataclass(frozen=True, slots=True)
class MetricsText:
    """In the text format of Prometheus."""

    text: str


@dataclass(frozen=True, slots=True)
class TableHealth:
    """Whether the table plays. An answer at all says that the daemon's loop runs."""

    status: Literal["ok", "suspended", "halted"]
    suspended: tuple[str, ...]
    """The reasons, each in a sentence."""
    devices: dict[str, str]
    """State by device."""
    accounts: str = ""
    """Why nobody can sign in; empty if people can."""


@dataclass(frozen=True, slots=True)
class Head:
    """The last row of the journal that may leave the house, and its hash in hexadecimal digits."""

    row: int
    hash: str
