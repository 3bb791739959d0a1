"""Questions about the past, and their answers, as they go from process to process."""

import json
from dataclasses import asdict, dataclass, field

from controller.access.people import Person


@dataclass(frozen=True, slots=True)
class WorkerQuestion:
    """`what` is a name of ANSWERS; `asked`: the fields of a query, as text. A page is drawn for a `person` at
    a `table`."""

    what: str
    journal: str
    fields: dict[str, str] = field(default_factory=dict)
    table: str = ""
    person: Person | None = None


@dataclass(frozen=True, slots=True)
class WorkerReply:
    """What a browser gets."""

    status: int
    media_type: str
    body: bytes


def encode_question(question: WorkerQuestion) -> bytes:
    """A question as it goes over."""
    return json.dumps(asdict(question)).encode()


def decode_question(text: bytes) -> WorkerQuestion:
    """The question again."""
    fields = json.loads(text)
    person = fields.pop("person")
    return WorkerQuestion(**fields, person=Person(**person) if person else None)


def encode_reply(reply: WorkerReply) -> bytes:
    """An answer as it comes back: status and media type in a line, then the body."""
    return json.dumps([reply.status, reply.media_type]).encode() + b"\n" + reply.body


def decode_reply(text: bytes) -> WorkerReply:
    """The answer again; raises ValueError for none."""
    head, _, body = text.partition(b"\n")
    status, media_type = json.loads(head)
    return WorkerReply(status, media_type, body)
