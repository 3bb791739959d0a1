"""What tables and the floor send to a linked progressive, and what it announces.

Each message is JSON in UTF-8. The subject says from which table it comes; a signature is beside it.
"""

from operator import not_
from typing import Annotated, Any, Literal, Self, TypeVar

from pydantic import Field, TypeAdapter, ValidationError, model_validator

from controller.jackpot.linked.wire import (
    AdminId,
    Cents,
    ClaimId,
    Count,
    CurrencyCode,
    Epoch,
    Hash,
    Key,
    MalformedMessage,
    Message,
    Name,
    Number,
    Part,
    Percent,
    Person,
    Reason,
    Seat,
    Stakes,
    Tally,
    UnixTime,
    fault_of,
)
from controller.jackpot.parameters import Parameters
from controller.money import percent, percent_text

MOST_SHARES = 99
"""Shares in a claim."""
MOST_INPUT = 32 * 1024
"""Bytes of a message to a progressive. The longest claim has half of them."""


class Meters(Part):
    """What a table has counted for a level since its epoch began: each only rises. `row`: the journal row
    that recorded it; stakes in cents."""

    row: Count = 0
    rounds: Count = 0
    wagers: Count = 0
    wagered: Stakes = 0
    voided_wagers: Count = 0
    voided: Stakes = 0

    @property
    def placed(self) -> Tally:
        return Tally(self.wagers, self.wagered)

    @property
    def taken_back(self) -> Tally:
        """The wagers of void rounds."""
        return Tally(self.voided_wagers, self.voided)

    @property
    def counts(self) -> tuple[int, ...]:
        """All of them but the row."""
        return self.rounds, self.wagers, self.wagered, self.voided_wagers, self.voided

    @model_validator(mode="after")
    def _are_possible(self) -> Self:
        left = self.placed.minus(self.taken_back)
        if not (self.placed.possible and self.taken_back.possible and left.possible):
            raise ValueError(
                f"{self.placed} and void ones of {self.taken_back}; allowed: at least one cent a wager, "
                "and no more void ones than there were"
            )
        return self


class MeterReading(Meters, Message):
    """What a table has counted, after each betting close, and every 30 seconds."""

    kind: Literal["meter"] = "meter"
    level: Name
    epoch: Epoch

    @property
    def meters(self) -> Meters:
        return Meters(**{name: getattr(self, name) for name in Meters.model_fields})


class ClaimedShare(Part):
    """A won share: `share` in percent."""

    claim: ClaimId
    seat: Seat
    share: Percent


class ClaimMessage(Message):
    """All shares that a round of a table won of a level, counter-clockwise. `chip`: cents to whose multiple
    a share is rounded down; `seen`: number, version and cents of the amount that players were shown."""

    kind: Literal["claim"] = "claim"
    level: Name
    epoch: Epoch
    round: Number
    row: Count
    chip: Annotated[Cents, Field(ge=1)]
    seen: tuple[Count, Count, Cents]
    claims: Annotated[tuple[ClaimedShare, ...], Field(min_length=1, max_length=MOST_SHARES, fail_fast=True)]


class StepMessage(Message):
    """A claim is paid, or void."""

    kind: Literal["step"] = "step"
    level: Name
    epoch: Epoch
    claim: ClaimId
    to: Literal["paid", "void"]
    row: Count


class Admission(Part):
    """A table, and the public key of its journal. `currency`: that of the journal, empty if the floor does
    not know it."""

    table: Name
    epoch: Epoch
    public: Key
    currency: CurrencyCode = ""


class LevelParameters(Part):
    """Parameters of docs/jackpots.md: amounts in cents, shares of each stake as exact text, "15.00%".
    `currency`: in which all amounts of the level are; it never changes once it is named. Entries of versions
    that named none keep their bytes, and so their hashes."""

    seed: Cents
    contribution: str
    reserve: str
    reset: Cents | None = None
    limit: Cents | None = None
    threshold: Cents | None = None
    currency: Annotated[CurrencyCode, Field(exclude_if=not_)] = ""

    @classmethod
    def of(cls, parameters: Parameters, currency: str = "") -> Self:
        return cls(
            seed=parameters.seed,
            contribution=percent_text(parameters.contribution),
            reserve=percent_text(parameters.reserve),
            reset=parameters.reset,
            limit=parameters.limit,
            threshold=parameters.threshold,
            currency=currency,
        )

    def checked(self) -> Parameters:
        """Raises ValueError, which names what is not possible."""
        shares = percent(self.contribution), percent(self.reserve)
        return Parameters(self.seed, *shares, self.reset, self.limit, self.threshold)


class CorrectedAmount(Part):
    """What the display is to show."""

    cents: Cents


class SettledTable(Part):
    """From which meters a table counts on."""

    table: Name
    reading: Meters


class Resolution(Part):
    """Which of two histories holds."""

    take: Literal["log", "journal"]


class AdminMessage(Message):
    """A decision of two persons, signed by the floor. `about`: the number of the log's entry that they saw;
    `id`: it counts once."""

    kind: str
    level: Name
    id: AdminId
    about: Count
    value: Any
    who: tuple[Person, Person]
    why: Reason
    issued: UnixTime


class Admit(AdminMessage):
    kind: Literal["admit"] = "admit"
    value: Admission


class Remove(AdminMessage):
    kind: Literal["remove"] = "remove"
    value: Admission


class SetParameters(AdminMessage):
    kind: Literal["parameters"] = "parameters"
    value: LevelParameters


class Correct(AdminMessage):
    kind: Literal["correction"] = "correction"
    value: CorrectedAmount


class Settle(AdminMessage):
    kind: Literal["settle"] = "settle"
    value: SettledTable


class Resolve(AdminMessage):
    kind: Literal["resolve"] = "resolve"
    value: Resolution


TableMessage = MeterReading | ClaimMessage | StepMessage
InputMessage = TableMessage | Admit | Remove | SetParameters | Correct | Settle | Resolve

ClaimState = Literal["open", "paid", "void"]
AmountState = Literal["open", "pending", "closed", "inoperable"]


class AnnouncedClaim(Part):
    """What became of a claim. `order`: its place in PROGRESSIVE_IN and in its message; `n`: the entry of the
    log that locked its cents."""

    claim: ClaimId
    table: Name
    seat: Seat
    cents: Cents
    order: tuple[Count, Count]
    n: Number
    state: ClaimState


MOST_CLAIMS = 64
"""Claims in an amount."""


class Amount(Message):
    """What a level shows after entry `n`. `version` counts the amounts that were announced since then;
    `closed`: tables whose level is closed whatever `state` says; `parameters_pending`: others apply once the
    level is won; `currency`: of all cents, empty if the level names none."""

    level: Name
    n: Count
    hash: Hash
    version: Number
    cents: Cents
    state: AmountState
    claims: Annotated[tuple[AnnouncedClaim, ...], Field(max_length=MOST_CLAIMS)] = ()
    closed: tuple[Name, ...] = ()
    parameters_pending: bool = False
    currency: CurrencyCode = ""


_INPUTS: TypeAdapter[InputMessage] = TypeAdapter(Annotated[InputMessage, Field(discriminator="kind")])
_AMOUNT: TypeAdapter[Amount] = TypeAdapter(Amount)


def read_input(payload: bytes) -> InputMessage:
    """Raises MalformedMessage. Every instance reads what any table sends, so a message that takes long to
    read would hold up all others."""
    if len(payload) > MOST_INPUT:
        raise MalformedMessage(f"a message of {len(payload)} bytes; allowed: {MOST_INPUT}")
    return _read(_INPUTS, payload)


def read_amount(payload: bytes) -> Amount:
    """Raises MalformedMessage."""
    return _read(_AMOUNT, payload)


ReadMessage = TypeVar("ReadMessage", bound=Message)


def _read(adapter: TypeAdapter[ReadMessage], payload: bytes) -> ReadMessage:
    try:
        message = adapter.validate_json(payload)
    except ValidationError as error:
        raise MalformedMessage(fault_of(error)) from error
    if "v" not in message.model_fields_set:
        raise MalformedMessage("v is missing; allowed: 1")
    return message
