"""Options that an operator sets, checked all at once; a fault names option, value and what is allowed."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Self, TypeVar

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    InstanceOf,
    PlainSerializer,
    ValidationError,
    model_validator,
)
from pydantic_core import ErrorDetails

from controller.money import Ratio, ratio


def _ratio(value: object) -> Ratio:
    if isinstance(value, str):
        return ratio(value)
    raise ValueError("a ratio is text")


PayRatio = Annotated[InstanceOf[Ratio], BeforeValidator(_ratio), PlainSerializer(str)]
"""A ratio, written "3:2"."""


@dataclass(frozen=True, slots=True)
class OptionFault:
    """One option that cannot be used."""

    option: str
    value: object
    allowed: str

    def __str__(self) -> str:
        return f"{self.option}: {json.dumps(self.value, default=str)} is not allowed; allowed: {self.allowed}"


class BadOptions(ValueError):
    """Options outside their values: every fault at once."""

    def __init__(self, faults: tuple[OptionFault, ...]) -> None:
        super().__init__("; ".join(map(str, faults)))
        self.faults = faults


class TableOptions(BaseModel):
    """What every game has. Each field's description says what is allowed."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, allow_inf_nan=False)
    spots: ClassVar[tuple[str, ...]] = ()

    decks: int = Field(8, description="a number of decks")
    chip: int = Field(1, ge=1, description="cents, a whole number from 1 on")
    burn_cards: int = Field(1, ge=0, le=52, description="a whole number from 0 to 52")
    limits: dict[str, Annotated[list[Annotated[int, Field(ge=0)]], Field(min_length=2, max_length=2)]] = (
        Field(
            default_factory=dict,
            description='spot to [minimum, maximum] in cents, as {"main": [500, 100000]}',
        )
    )

    @model_validator(mode="after")
    def _limits_fit(self) -> Self:
        wrong = [s for s, (least, most) in self.limits.items() if s not in self.spots or least > most]
        if wrong:
            faults = [_limit_fault(spot, self.limits[spot], self.spots) for spot in wrong]
            raise BadOptions(tuple(faults))
        return self


Options = TypeVar("Options", bound=TableOptions)


def check(model: type[Options], options: Mapping[str, Any]) -> Options:
    """The options of a game; raises BadOptions with every fault."""
    try:
        return model.model_validate(dict(options))
    except ValidationError as invalid:
        faults = (_faults(model, error) for error in invalid.errors())
        raise BadOptions(tuple(fault for part in faults for fault in part)) from None


def _faults(model: type[TableOptions], error: ErrorDetails) -> tuple[OptionFault, ...]:
    cause = error.get("ctx", {}).get("error")
    if isinstance(cause, BadOptions):
        return cause.faults
    option = ".".join(map(str, error["loc"]))
    return (OptionFault(option, error["input"], _allowed(model, str(error["loc"][0]))),)


def _allowed(model: type[TableOptions], option: str) -> str:
    field = model.model_fields.get(option)
    return f"only {', '.join(model.model_fields)}" if field is None else str(field.description)


def _limit_fault(spot: str, limits: list[int], spots: tuple[str, ...]) -> OptionFault:
    if spot not in spots:
        return OptionFault(f"limits.{spot}", limits, f"only {', '.join(spots)}")
    return OptionFault(f"limits.{spot}", limits, "a minimum that is not above the maximum")
