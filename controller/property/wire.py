"""What all messages between tables and the floor have in common: their form, and the types of their
fields."""

from typing import Annotated, ClassVar, NoReturn, Self

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError

from controller.property.small_messages import MOST_NUMBER, MalformedMessage
from controller.property.subjects import EPOCH_LENGTH, NAME

__all__ = [
    "Count",
    "Epoch",
    "Hash",
    "MalformedMessage",
    "Message",
    "MessageId",
    "Name",
    "Nonce",
    "Number",
    "Part",
    "Person",
    "UnixTime",
]

Name = Annotated[str, StringConstraints(pattern=f"^{NAME.pattern}$")]
"""Of a property or a table."""
Epoch = Annotated[str, StringConstraints(pattern=f"^[0-9a-f]{{{EPOCH_LENGTH}}}$")]
Number = Annotated[int, Field(ge=1, le=MOST_NUMBER)]
Count = Annotated[int, Field(ge=0, le=MOST_NUMBER)]
MessageId = Annotated[str, StringConstraints(pattern="^[A-Za-z0-9-]{1,36}$")]
"""Chosen by the sender, as long as a UUID."""
Nonce = Annotated[str, StringConstraints(pattern="^[0-9a-f]{32}$")]
Person = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=200)]
Hash = Annotated[str, StringConstraints(pattern="^[0-9a-f]{64}$")]
UnixTime = Annotated[float, Field(ge=0, allow_inf_nan=False)]


class Part(BaseModel):
    """A part of a message, frozen; no type is converted, and unknown fields are ignored."""

    model_config = ConfigDict(frozen=True, strict=True)


class Message(Part):
    """A message. `v`, the version of its form, must be there, and comes first. Errors repeat no value of a
    message with SECRETS."""

    SECRETS: ClassVar[bool] = False
    v: Annotated[int, Field(ge=1, le=1)]

    @classmethod
    def read(cls, payload: bytes) -> Self:
        """The message in these bytes. Raises MalformedMessage."""
        try:
            return cls.model_validate_json(payload)
        except ValidationError as error:
            _refuse(error, named=not cls.SECRETS)

    @property
    def payload(self) -> bytes:
        """The message as it is sent."""
        return self.model_dump_json().encode()


def _refuse(error: ValidationError, *, named: bool) -> NoReturn:
    """Names the first fault: its field, the value if it may be `named`, and what is allowed."""
    first = error.errors(include_url=False, include_context=False)[0]
    place = ".".join(str(part) for part in first["loc"]) or "message"
    value = f" = {first['input']!r:.80}" if named else ""
    raise MalformedMessage(f"{place}{value}: {first['msg']}") from None
