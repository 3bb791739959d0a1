"""What each program may publish and hear at the servers of a property.

Everything that is not listed is refused. Only `tableside floor prepare` may create, change or delete streams,
and no table may make a consumer. The prefix of a table's answers is one token, `_INBOX_NAME`; those of the
property's own programs begin with `_INBOX.`, so that no name of a table can be theirs.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal

from controller.floor.streams import (
    DIRECTORY,
    FLOOR_LOG,
    JOURNAL,
    LARGEST_MESSAGE,
    LEASE,
    PROGRESSIVE_IN,
    PROGRESSIVE_LOG,
    STATUS,
)
from controller.property.subjects import HUB, PropertySubjects

Role = Literal["table", "floor", "prepare", "progressive", "property"]
API: Final = "$JS.API"
FLOW_CONTROL: Final = "$JS.FC.>"
"""The answers with which a reader says that it keeps up."""
BUCKET: Final = f"KV_{LEASE}"
ANY: Final = "*"
THIS: Final = "{{name()}}"
"""The servers put the name of the user here."""
TABLE_SUBSCRIPTIONS: Final = 20
RESPONSE_SECONDS: Final = 10.0
"""Within so many seconds, a program may answer a request once."""
NO_LIMIT: Final = -1
NANOSECONDS: Final = 1_000_000_000
FLOOR_INBOX: Final = "_INBOX.floor"
PREPARING_INBOX: Final = "_INBOX.prepare"


@dataclass(frozen=True, slots=True)
class Permissions:
    """Subjects that a program may publish and subscribe to. `unheard`: what it may not hear of these;
    `answers`: it may answer each request once; `subscriptions`: at most so many at a time."""

    publish: tuple[str, ...]
    subscribe: tuple[str, ...]
    answers: bool = False
    subscriptions: int = NO_LIMIT
    unheard: tuple[str, ...] = ()

    def claims(self) -> dict[str, Any]:
        """As the servers read them."""
        answers = {"max": 1, "ttl": int(RESPONSE_SECONDS * NANOSECONDS)}
        return {
            "pub": {"allow": list(self.publish)},
            "sub": {"allow": list(self.subscribe), **({"deny": list(self.unheard)} if self.unheard else {})},
            **({"resp": answers} if self.answers else {}),
            "subs": self.subscriptions,
            "data": NO_LIMIT,
            "payload": LARGEST_MESSAGE,
        }


def table_inbox(table: str) -> str:
    """The prefix of the subjects under which a table gets answers."""
    return f"_INBOX_{table}"


def progressive_inbox(level: str) -> str:
    """That of the instances of a linked progressive."""
    return f"_INBOX.progressive.{level}"


def table_permissions(property_: str) -> Permissions:
    """The template for all tables of a property: what binds a table to its name."""
    subjects = PropertySubjects(property_)
    return Permissions(
        publish=(
            subjects.journal(THIS, ANY),
            subjects.status(THIS),
            subjects.reading(ANY, THIS),
            subjects.resume(THIS),
            f"{API}.DIRECT.GET.{JOURNAL}.{subjects.journal(THIS, ANY)}",
            f"{API}.DIRECT.GET.{DIRECTORY}.{subjects.directory(THIS)}",
        ),
        subscribe=(
            f"{table_inbox(THIS)}.>",
            subjects.command(THIS, ANY),
            subjects.resend(THIS),
            subjects.acknowledgement(THIS),
            subjects.directory(THIS),
            subjects.amount(ANY),
        ),
        answers=True,
        subscriptions=TABLE_SUBSCRIPTIONS,
    )


def floor_permissions(property_: str) -> Permissions:
    """What `tableside floor run` may do: all but write to a linked progressive, and change streams."""
    subjects = PropertySubjects(property_)
    return Permissions(
        publish=(
            subjects.acknowledgement(ANY),
            subjects.resend(ANY),
            subjects.command(ANY, ANY),
            subjects.directory(ANY),
            subjects.floor_log,
            subjects.administration(ANY),
            f"$KV.{LEASE}.floor",
            f"{API}.INFO",
            *_reading(JOURNAL, STATUS, FLOOR_LOG, DIRECTORY, PROGRESSIVE_IN, PROGRESSIVE_LOG, BUCKET),
        ),
        subscribe=(
            f"{FLOOR_INBOX}.>",
            subjects.statuses,
            subjects.resume(ANY),
            subjects.incoming().amount(ANY),
            subjects.progressive_log(ANY),
        ),
        answers=True,
    )


def progressive_permissions(property_: str) -> Permissions:
    """The template for all linked progressives of a property: both instances of a level write its log, and
    announce its amount. Their name is that of the level."""
    subjects = PropertySubjects(property_)
    tables = subjects.incoming()
    return Permissions(
        publish=(
            subjects.progressive_log(THIS),
            tables.amount(THIS),
            f"$KV.{LEASE}.progressive-{THIS}",
            *_reading(PROGRESSIVE_IN, PROGRESSIVE_LOG, BUCKET),
        ),
        subscribe=(
            f"{progressive_inbox(THIS)}.>",
            subjects.progressive_log(THIS),
            tables.amount(THIS),
            tables.statuses,
        ),
    )


def property_permissions() -> Permissions:
    """What the servers of a property may do at a hub. Servers pass on interest as a whole, so the subjects
    are those of all properties, and the signature binds a message to its table. They hear all but the logs
    and what is the hub's own, because the subjects of acknowledgements cannot be listed. A server does not
    send a subject that it must not hear."""
    every = PropertySubjects(ANY)
    return Permissions(
        publish=(every.reading(ANY, ANY), every.administration(ANY), every.statuses),
        subscribe=(">",),
        unheard=(every.progressive_log(ANY), "_INBOX.>", "$JS.>", "$KV.>", "$SYS.>"),
    )


def preparing_permissions() -> Permissions:
    """What `tableside floor prepare` may do: make, compare and change streams, and read the log that it
    replaces and who leads. It may write into no stream."""
    kinds = ("CREATE", "UPDATE", "INFO", "DELETE")
    read = (PROGRESSIVE_LOG, BUCKET)
    return Permissions(
        publish=(
            f"{API}.INFO",
            *(f"{API}.STREAM.{kind}.{ANY}" for kind in kinds),
            *(f"{API}.STREAM.MSG.GET.{stream}" for stream in read),
        ),
        subscribe=(f"{PREPARING_INBOX}.>",),
    )


def templates(property_: str) -> Mapping[Role, Permissions]:
    """What each role may do. The account has the templates, and a program shows only its role and name: the
    first line that a program sends must be short, and so many rows would not fit."""
    return {
        "table": table_permissions(property_),
        "floor": floor_permissions(property_),
        "prepare": preparing_permissions(),
        "progressive": progressive_permissions(property_),
        **({"property": property_permissions()} if property_ == HUB else {}),
    }


def _reading(*streams: str) -> Iterable[str]:
    """What it takes to read streams, also with ordered consumers."""
    for stream in streams:
        yield f"{API}.STREAM.INFO.{stream}"
        yield f"{API}.STREAM.MSG.GET.{stream}"
        yield f"{API}.DIRECT.GET.{stream}"
        yield f"{API}.DIRECT.GET.{stream}.>"
        yield f"{API}.CONSUMER.CREATE.{stream}"
        yield f"{API}.CONSUMER.CREATE.{stream}.>"
        yield f"{API}.CONSUMER.DELETE.{stream}.{ANY}"
        yield f"{API}.CONSUMER.INFO.{stream}.{ANY}"
    yield FLOW_CONTROL
