"""Commands of the floor to a table, and the table's replies.

Only what a table asked for can be granted, and it takes two persons: `second` asked at the table, `who`
signed in at the floor. No command names a card, moves a meter on its own, or opens a table. A command
carries a nonce of the table: the one of the request that it answers, or the one of the table's status, which
changes with each use. So a command fits once, and no clock is needed.
"""

from typing import Annotated, Literal, Self, get_args

from pydantic import AfterValidator, Field, StringConstraints, model_validator

from controller.property.wire import (
    Count,
    Epoch,
    Message,
    MessageId,
    Name,
    Nonce,
    Number,
    Part,
    Person,
    UnixTime,
)
from controller.text.characters import character_fault

CommandName = Literal["grant", "decline", "acknowledge", "message", "close"]
COMMANDS: tuple[CommandName, ...] = get_args(CommandName)
OF_REQUESTS: frozenset[CommandName] = frozenset({"grant", "decline"})
"""Commands that answer a request, and carry its nonce."""
ReplyCode = Literal[
    "done", "signature", "table", "command", "nonce", "closed", "person", "older", "sealed", "down"
]
REPLIES: dict[ReplyCode, str] = {
    "done": "the command is in the table's journal, and carried out",
    "signature": "it is not signed by a pinned key, or was changed",
    "table": "it is for another property, table or journal",
    "command": "it is malformed, or none of the commands",
    "nonce": "the nonce is not, or no longer, the one of this request or of the table's status",
    "closed": "the request or alert is not open any more, or the table cannot follow now",
    "person": "this person may not do it, or the persons are not the ones that it takes",
    "older": "it is a directory, and the table has had a newer one",
    "sealed": "it is a directory that the key of the table does not open",
    "down": "the core of the table does not answer",
}
"""Why a command was refused, or that it is done."""
MOST_TEXT = 200


def _visible(text: str) -> str:
    if why := character_fault(text):
        raise ValueError(f"not allowed: {why}; allowed: text that can be seen")
    return text


Sentence = Annotated[
    str,
    StringConstraints(strip_whitespace=True, min_length=1, max_length=MOST_TEXT),
    AfterValidator(_visible),
]


class About(Part):
    """What a command is about: the number of the request or of the alert, if any, and the nonce."""

    request: Number | None = None
    alert: Number | None = None
    nonce: Nonce


class Command(Message):
    """`text`: the message, or the reason. `who`: the person at the floor, with `role`; `second`: the person
    at the table, empty for a command that takes one person."""

    id: MessageId
    table: Name
    epoch: Epoch
    command: CommandName
    about: About
    text: Sentence
    who: Annotated[Person, AfterValidator(_visible)]
    role: str
    second: Annotated[str, StringConstraints(strip_whitespace=True, max_length=200)] = ""
    issued: UnixTime

    @model_validator(mode="after")
    def _is_about_one_thing(self) -> Self:
        expected = {"grant": "request", "decline": "request", "acknowledge": "alert"}.get(self.command, "")
        given = {name for name in ("request", "alert") if getattr(self.about, name) is not None}
        if given != {expected} - {""}:
            raise ValueError(f"{self.command}: about needs {expected or 'only the nonce'}, and nothing else")
        return self


class Reply(Message):
    """`row`: of the command in the table's journal, 0 if it was refused; `reason`: why it was refused."""

    v: Annotated[int, Field(ge=1, le=1)] = 1
    id: str = ""
    ok: bool
    row: Count = 0
    code: ReplyCode
    reason: str = ""
