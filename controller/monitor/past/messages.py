"""What the web server and a worker process say to each other: one question, one reply."""

import json
from dataclasses import asdict, dataclass, field
from struct import Struct
from typing import Any

from controller.access.people import Person
from controller.languages import language_in_use
from controller.monitor.navigation import NavigationLink

REPORT = "report"
SLOW_QUESTIONS = (
    frozenset({"rounds", "rounds page"}),
    frozenset(
        {"audit", "audit sheet", "audit page", "significant events", "events page", "seats", "seats sheet"}
    ),
    frozenset({REPORT}),
)
"""Questions that may take seconds. Each set has a process of its own, so that other questions need not wait.
Those of rounds and of reports answer faster the more they have answered."""
LENGTH = Struct(">I")
"""Comes before each message between the two, and says how many bytes it has."""


@dataclass(frozen=True, slots=True)
class PageFrame:
    """Where a page stands that is not one of a table: what comes before "/rounds" in the address of a round;
    the page that lists rounds; the links in the navigation bar; and the table that the page is about, if it
    is about one."""

    base: str
    rounds: str
    links: tuple[NavigationLink, ...] = ()
    of: str = ""


@dataclass(frozen=True, slots=True)
class TableFacts:
    """What quick filters need to know: how many seats the table has, or at most a table of the floor; and
    when the present shift began, in seconds of Unix time."""

    seats: int
    shift_began: int


@dataclass(frozen=True, slots=True)
class WorkerQuestion:
    """`what`: a name of ANSWERS, or REPORT. `fields`: those of a query, as text; of a report, its order. A
    page is drawn for a `person` at a `table`, in a `frame` if it is not a page of the table itself, and in
    the `language` that is in use where the question is asked. `facts` are those of the table itself."""

    what: str
    journal: str
    fields: dict[str, Any] = field(default_factory=dict)
    table: str = ""
    person: Person | None = None
    frame: PageFrame | None = None
    language: str = field(default_factory=lambda: language_in_use().code)
    facts: TableFacts | None = None


@dataclass(frozen=True, slots=True)
class WorkerReply:
    """The answer as HTTP gives it to a browser."""

    status: int
    media_type: str
    body: bytes


def framed(message: bytes) -> bytes:
    """A question or a reply as it goes through a pipe."""
    return LENGTH.pack(len(message)) + message


def encode_question(question: WorkerQuestion) -> bytes:
    return json.dumps(asdict(question)).encode()


def decode_question(text: bytes) -> WorkerQuestion:
    fields = json.loads(text)
    person, frame, facts = (fields.pop(name) for name in ("person", "frame", "facts"))
    return WorkerQuestion(
        **fields,
        person=Person(**person) if person else None,
        frame=_frame(frame) if frame else None,
        facts=TableFacts(**facts) if facts else None,
    )


def encode_reply(reply: WorkerReply) -> bytes:
    """Status and media type in one line, then the body."""
    return json.dumps([reply.status, reply.media_type]).encode() + b"\n" + reply.body


def decode_reply(text: bytes) -> WorkerReply:
    """Raises ValueError if this is not a reply."""
    head, _, body = text.partition(b"\n")
    status, media_type = json.loads(head)
    return WorkerReply(status, media_type, body)


def _frame(fields: dict[str, Any]) -> PageFrame:
    links = tuple(NavigationLink(**link | {"roles": tuple(link["roles"])}) for link in fields["links"])
    return PageFrame(fields["base"], fields["rounds"], links, fields["of"])
