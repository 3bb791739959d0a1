"""What the web server and a worker process say to each other: one question, one reply."""

import json
from dataclasses import asdict, dataclass, field
from typing import Any

from controller.access.people import Person

REPORT = "report"


@dataclass(frozen=True, slots=True)
class WorkerQuestion:
    """`what`: a name of ANSWERS, or REPORT. `fields`: those of a query, as text; of a report, its order. A
    page is drawn for a `person` at a `table`."""

    what: str
    journal: str
    fields: dict[str, Any] = field(default_factory=dict)
    table: str = ""
    person: Person | None = None


@dataclass(frozen=True, slots=True)
class WorkerReply:
    """The answer as HTTP gives it to a browser."""

    status: int
    media_type: str
    body: bytes


def encode_question(question: WorkerQuestion) -> bytes:
    return json.dumps(asdict(question)).encode()


def decode_question(text: bytes) -> WorkerQuestion:
    fields = json.loads(text)
    person = fields.pop("person")
    return WorkerQuestion(**fields, person=Person(**person) if person else None)


def encode_reply(reply: WorkerReply) -> bytes:
    """Status and media type in one line, then the body."""
    return json.dumps([reply.status, reply.media_type]).encode() + b"\n" + reply.body


def decode_reply(text: bytes) -> WorkerReply:
    """Raises ValueError if this is not a reply."""
    head, _, body = text.partition(b"\n")
    status, media_type = json.loads(head)
    return WorkerReply(status, media_type, body)
