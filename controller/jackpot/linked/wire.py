"""What all messages of a linked progressive have in common: their form, and the types of their fields."""

from typing import Annotated, NamedTuple

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints, ValidationError

from controller.currency import named_currency

MOST_CENTS = 10**15
"""More than any amount; it fits into the 64 bits of other programs."""
MOST_STAKES = 10**12
"""Of one epoch of a table, in cents."""
MOST_NUMBER = 2**53 - 1


def _known_currency(code: str) -> str:
    """Raises ValueError."""
    return named_currency(code).code


Cents = Annotated[int, Field(ge=0, le=MOST_CENTS)]
Stakes = Annotated[int, Field(ge=0, le=MOST_STAKES)]
Count = Annotated[int, Field(ge=0, le=MOST_NUMBER)]
Number = Annotated[int, Field(ge=1, le=MOST_NUMBER)]
Seat = Annotated[int, Field(ge=1, le=99)]
Percent = Annotated[int, Field(ge=1, le=100)]
UnixTime = Annotated[float, Field(ge=0, allow_inf_nan=False)]
Hash = Annotated[str, StringConstraints(pattern="^[0-9a-f]{64}$")]
"""SHA-256 in hex."""
Key = Annotated[str, StringConstraints(pattern="^[0-9a-f]{64}$")]
"""A public Ed25519 key in hex."""
Epoch = Annotated[str, StringConstraints(pattern="^[0-9a-f]{16}$")]
"""The first 16 digits of the hash of the journal's row 1."""
Name = Annotated[str, StringConstraints(pattern="^[a-z0-9-]{1,24}$")]
"""Of a property, a table, a level or an instance."""
ClaimId = Annotated[
    str, StringConstraints(pattern="^[a-z0-9-]{1,24}/[0-9a-f]{16}/[0-9]{1,16}/[0-9]{1,2}/[a-z0-9-]{1,24}$")
]
"""`table/epoch/round/seat/level`."""
CurrencyCode = Annotated[str, AfterValidator(_known_currency)]
"""Of ISO 4217; empty if none is named."""
AdminId = Annotated[str, StringConstraints(pattern="^[A-Za-z0-9-]{1,64}$")]
Person = Annotated[str, StringConstraints(min_length=1, max_length=200)]
Reason = Annotated[str, StringConstraints(min_length=1, max_length=1000)]


class MalformedMessage(ValueError):
    """Bytes that are not a message of version 1: the sender's fault."""


class Part(BaseModel):
    """A part of a message, frozen; no type is converted, and unknown fields are ignored."""

    model_config = ConfigDict(frozen=True, strict=True)


class Message(Part):
    """A message; `v`, the version of its form, comes first."""

    v: Annotated[int, Field(ge=1, le=1)] = 1

    @property
    def payload(self) -> bytes:
        """The message as it is sent."""
        return self.model_dump_json(by_alias=True).encode()


class Tally(NamedTuple):
    """How many wagers, and their stakes in cents. Each wager has at least one cent."""

    wagers: int = 0
    wagered: int = 0

    def plus(self, other: "Tally") -> "Tally":
        return Tally(self.wagers + other.wagers, self.wagered + other.wagered)

    def minus(self, other: "Tally") -> "Tally":
        return Tally(self.wagers - other.wagers, self.wagered - other.wagered)

    @property
    def possible(self) -> bool:
        """Whether there can be such wagers."""
        return 0 <= self.wagers <= self.wagered and bool(self.wagers) == bool(self.wagered)


def fault_of(error: ValidationError) -> str:
    """What the first fault of a message is: its field, the value and what is allowed."""
    first = error.errors(include_url=False, include_context=False)[0]
    place = ".".join(str(part) for part in first["loc"]) or "message"
    return f"{place} = {first['input']!r:.80}: {first['msg']}"
