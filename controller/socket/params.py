"""The parameters of each method of the table socket, as models."""

from base64 import b64decode
from typing import Annotated, Literal, Self, get_args

from pydantic import Field, StringConstraints, field_validator, model_validator

from controller.access.people import SecretKind
from controller.property.signed import SignedMessage
from controller.socket.messages import Act, PreviewAct
from controller.socket.texts import (
    ActId,
    Address,
    Name,
    OptionalSentence,
    Reason,
    RequestModel,
    Secret,
    SessionToken,
)

PeerKind = Literal["web", "uplink", "bridge", "cli"]
Topic = Literal["view", "head", "status", "table_status", "progressive"]
ReportSubject = Literal["page", "uplink", "shipping"]
MOST_SUBJECT = 200
MOST_PAYLOAD = 60_000
"""Characters of base64."""


class NoParams(RequestModel):
    """None."""


class HelloParams(RequestModel):
    """`as`: the kind of client that this connection is from now on."""

    kind: Annotated[PeerKind | None, Field(alias="as")] = None


class SignInParams(RequestModel):
    """`address`: where the secret was typed; `at_table`: on the table's own screen."""

    kind: SecretKind
    name: Name = ""
    secret: Secret
    address: Address
    at_table: bool = False


class SessionParams(RequestModel):
    """`active`: the person did something, which keeps the session alive."""

    token: SessionToken
    active: bool = True


class ReadTokenParams(RequestModel):
    """`address`: that of the program that sent the token."""

    token: SessionToken
    address: Address


class SignOutParams(RequestModel):
    token: SessionToken
    address: Address


class SessionsParams(RequestModel):
    token: SessionToken


class SetSecretParams(RequestModel):
    token: SessionToken
    old: Secret
    new: Secret
    address: Address


class SetLanguageParams(RequestModel):
    """`language`: its code, as BCP 47 has it."""

    token: SessionToken
    language: Annotated[str, Field(pattern=r"^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$", max_length=35)]


class ForgedParams(RequestModel):
    """`what`: method and path of the forged request. Whatever they are, the core records them."""

    token: Annotated[str | None, Field(max_length=100, repr=False)] = None
    address: Address
    what: str


class SubscribeParams(RequestModel):
    topics: Annotated[list[Topic], Field(min_length=1, max_length=len(get_args(Topic)))]


class Confirmation(RequestModel):
    """The person's secret, typed again for this act."""

    kind: SecretKind
    secret: Secret


class ActingParams(RequestModel):
    """`token` of a session, or `override` by root: its text is the reason."""

    token: Annotated[str | None, Field(max_length=100, repr=False)] = None
    override: Reason | None = None

    @model_validator(mode="after")
    def _names_a_person(self) -> Self:
        if (self.token is None) == (self.override is None):
            raise ValueError("exactly one is needed of token, override")
        return self


class PreviewParams(ActingParams):
    act: PreviewAct


class ActParams(ActingParams):
    act: Act
    id: ActId
    confirm: Confirmation | None = None


class SignedPayload(RequestModel):
    """A message of the floor as it came: the subject, and in hexadecimal digits the public key and the
    signature. `payload` is in base64."""

    subject: Annotated[str, StringConstraints(max_length=MOST_SUBJECT)]
    key: Annotated[str, StringConstraints(pattern="^[0-9a-f]{64}$")]
    signature: Annotated[str, StringConstraints(pattern="^[0-9a-f]{128}$")]
    payload: Annotated[str, StringConstraints(max_length=MOST_PAYLOAD)]

    @field_validator("payload")
    @classmethod
    def _is_base64(cls, text: str) -> str:
        b64decode(text, validate=True)
        return text

    @property
    def message(self) -> SignedMessage:
        payload = b64decode(self.payload)
        return SignedMessage(self.subject, payload, bytes.fromhex(self.key), bytes.fromhex(self.signature))


class SignedActParams(RequestModel):
    """A message of the floor."""

    signed: SignedPayload


class AmountParams(RequestModel):
    """An amount of a linked progressive."""

    signed: SignedPayload


class ReportParams(RequestModel):
    """`why`: an alert of the table while it is not empty."""

    about: ReportSubject
    why: OptionalSentence = ""
