"""The forms of the floor's pages: the same as at a table's own pages, with the same words."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from controller.access.people import Person
from controller.floor.approvals.desk import CommandDesk
from controller.floor.pages.words import labels_of
from controller.floor.tables.tile import TileAlert
from controller.monitor.supervisor.form import Form
from controller.monitor.supervisor.request_forms import COMMON_REASONS, NOTE, REASON
from controller.monitor.supervisor.requests import TITLES
from controller.property.commands import CommandName

ROOT: Final = "/floor/forms"
API: Final = "/api/v1/floor"
VOID: Final = "void"
ACKNOWLEDGE: Final = "Acknowledge"
ALERT_REASONS: Final = ("Seen at the table", "Repaired", "A technician is on the way")


@dataclass(frozen=True, slots=True)
class PlainCommand:
    """A command that answers nothing. `path`: of its route; `says`: the label of its text."""

    path: str
    title: str
    sentences: tuple[str, ...]
    button: str
    reasons: tuple[str, ...]
    says: str = "Reason"
    grave: bool = False


PLAIN_COMMANDS: Final[Mapping[CommandName, PlainCommand]] = {
    "message": PlainCommand(
        "messages",
        "Send a message",
        ("The message is an alert at the table until a person there acknowledges it.",),
        "Send",
        ("Please call the pit", "Relief is on the way", "Check the shoe at the end of the round"),
        says="Message",
    ),
    "close": PlainCommand(
        "closing",
        "Close the table",
        (
            "The round in play is played to its end. Then the table is suspended.",
            "Only a supervisor at the table opens it again.",
        ),
        "Close after this round",
        ("End of the shift", "No dealer", "A device has to be replaced"),
        grave=True,
    ),
}


def title_of(kind: str) -> str:
    """The title of a request, or its kind if the kind has no title."""
    return TITLES.get(kind, kind)


def answer_form(commands: CommandDesk, table: str, number: int, answer: str, person: Person) -> Form:
    """The form of an answer to a request. Raises LookupError if it is not possible for this person now."""
    if answer not in ("grant", "decline"):
        raise LookupError(f"{answer} is not possible at the floor; allowed: grant, decline")
    request, grants = commands.request(table, number), answer == "grant"
    commands.preview(table, number, person, grant=grants)  # what is not possible gets no form
    label, path = labels_of(request.kind)[answer], f"{API}/tables/{table}/requests/{number}"
    return Form(
        f"{table}: {label}: {title_of(request.kind)}",
        (f"{request.by}: {request.text}", *(() if grants else request.sentences)),
        label,
        f"POST {path}/answer",
        {"grant": grants},
        f"GET {path}/preview?grant={'true' if grants else 'false'}",
        grave=grants and request.kind == VOID,
        reasons=COMMON_REASONS.get(f"{answer} {request.kind}", COMMON_REASONS[answer]),
        at_once=True,
        says=NOTE if grants else REASON,
        may_be_silent=grants,
    )


def plain_form(table: str, command: CommandName) -> Form:
    """The form of a command that answers nothing."""
    words = PLAIN_COMMANDS[command]
    return Form(
        f"{table}: {words.title}",
        words.sentences,
        words.button,
        f"POST {API}/tables/{table}/{words.path}",
        grave=words.grave,
        reasons=words.reasons,
        says=words.says,
    )


def alert_form(table: str, alert: TileAlert) -> Form:
    """The form that acknowledges an alert: of the table itself, or of the floor about it."""
    about = f"{API}/tables/{table}" if table else API
    place = "own-alerts" if alert.source == "table" else "alerts"
    return Form(
        f"{table}: {ACKNOWLEDGE}" if table else "Acknowledge an alert of the floor",
        (alert.text,),
        ACKNOWLEDGE,
        f"POST {about}/{place}/{alert.number}/acknowledgement",
        reasons=ALERT_REASONS,
    )
