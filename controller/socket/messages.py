"""The bodies of requests by which people act on the table. The API of the pages publishes the same models in
its OpenAPI document."""

from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from controller.access.people import SecretKind
from controller.jackpot import Step
from controller.jackpot.claims import APPROVALS
from controller.round.keys import Action
from controller.socket.texts import (
    PREVIEW_REASON,
    ActId,
    Cents,
    Name,
    Number,
    OptionalReason,
    OptionalSentence,
    Reason,
    RequestModel,
    Secret,
    Spot,
    Token,
)
from controller.table.record.choices import ChoiceName
from controller.table.state.test_session import Pattern
from drivers.protocol.codes import MOST_SEATS


class SignInBody(RequestModel):
    """Who, and how they prove it. A badge needs no name."""

    kind: SecretKind
    name: Name = ""
    secret: Secret


class PasswordBody(RequestModel):
    """The one that there is, and the one that is to be."""

    old: Secret
    new: Secret


class KeyBody(RequestModel):
    """`round`: the round that the screen shows, so that a late key never reaches another one. `press`: the
    id of this press; the table takes it once, even if it arrives again after a lost answer."""

    action: Action
    seat: Annotated[int, Field(ge=0, le=MOST_SEATS)] = 0
    cents: Cents | None = None
    round: Number | None = None
    press: ActId | None = None


class DecisionBody(RequestModel):
    """A choice with its fields, as `tableside table supervise` has them. `token`: that of the preview;
    `entry` needs none."""

    choice: ChoiceName
    why: Reason
    card: str | None = None
    seat: int | None = None
    hand: int | None = None
    number: int | None = None
    old: str | None = None
    round: int | None = None
    device: str | None = None
    licence: str | None = None
    token: Token | None = None


class PreviewBody(DecisionBody):
    """The reason is optional."""

    why: OptionalReason = PREVIEW_REASON


class RequestBody(RequestModel):
    """A dealer requests `undo` of the last key, and calls for `help`; dealers and supervisors request
    `void` and `correct`. The fields of `correct` are those of the decision. `token`: that of the preview; a
    call for help needs none."""

    about: Literal["undo", "help", "void", "correct"]
    why: Reason
    token: Token | None = None
    round: int | None = None
    seat: int | None = None
    hand: int | None = None
    number: int | None = None
    old: str | None = None
    card: str | None = None


class RequestPreviewBody(RequestBody):
    """The reason is optional."""

    why: OptionalReason = PREVIEW_REASON


class AnswerBody(RequestModel):
    """`token`: that of the preview. A call for help needs none."""

    grant: bool
    why: OptionalReason = ""
    token: Token = ""


class StepBody(RequestModel):
    """`why` may be empty in a step that approves what a supervisor has verified. `token`: that of the
    preview."""

    step: Step
    why: OptionalReason = ""
    token: Token = ""

    @model_validator(mode="after")
    def _reason_is_given(self) -> Self:
        if self.step not in APPROVALS and not self.why:
            raise ValueError(f"why is needed to {self.step}")
        return self


class MeterBody(RequestModel):
    """`cents`: the amount that the jackpot is to show. `token`: that of the preview."""

    cents: Cents
    why: Reason
    token: Token = ""


class MeterPreviewBody(RequestModel):
    """`cents`: the amount that the jackpot would show."""

    cents: Cents
    why: OptionalReason = PREVIEW_REASON


class TestModeBody(RequestModel):
    """Whether the table is tested; why is needed to begin."""

    on: bool
    why: OptionalSentence = ""

    @model_validator(mode="after")
    def _reason_is_given(self) -> Self:
        if self.on and not self.why:
            raise ValueError("why is needed to begin")
        return self


class LampTestBody(RequestModel):
    """What all lamps are to show, the same pattern again for its next picture; and what was seen of the one
    before, as "good" or "seat 3 spot 2 dark"."""

    pattern: Pattern
    seen: OptionalSentence = ""


class LampReportBody(RequestModel):
    """Whether the lamp of a spot shows what it should. `spot` is the spot's name in the game."""

    seat: Annotated[int, Field(ge=1, le=MOST_SEATS)]
    spot: Spot
    works: bool


class AnswerAct(AnswerBody):
    """The answer to a request."""

    request: Number


class StepAct(StepBody):
    """A step of a claim."""

    claim: Number


class StepPreview(StepAct):
    """The reason is optional."""

    why: OptionalReason = PREVIEW_REASON


class MeterAct(MeterBody):
    """The correction of the jackpot of a spot."""

    spot: Spot


class MeterPreview(MeterAct):
    """The reason is optional."""

    why: OptionalReason = PREVIEW_REASON


class AcknowledgementBody(RequestModel):
    """The number of an alert."""

    alert: Number


class OneOf(RequestModel):
    """An object with exactly one of its keys."""

    @model_validator(mode="after")
    def _has_one(self) -> Self:
        if sum(body is not None for _, body in self) != 1:
            raise ValueError(f"exactly one is needed of {', '.join(type(self).model_fields)}")
        return self

    @property
    def chosen(self) -> tuple[str, RequestModel]:
        """The name of the key, and its value."""
        return next((name, body) for name, body in self if body is not None)


class Act(OneOf):
    """What a person does at the table."""

    key: KeyBody | None = None
    decision: DecisionBody | None = None
    request: RequestBody | None = None
    answer: AnswerAct | None = None
    step: StepAct | None = None
    meter: MeterAct | None = None
    acknowledgement: AcknowledgementBody | None = None
    test_mode: TestModeBody | None = None
    lamp_test: LampTestBody | None = None
    lamp_report: LampReportBody | None = None


class PreviewAct(OneOf):
    """What a person wants to see first. Reasons are optional."""

    decision: PreviewBody | None = None
    request: RequestPreviewBody | None = None
    answer: AnswerAct | None = None
    step: StepPreview | None = None
    meter: MeterPreview | None = None
