"""Options that an operator sets. All are checked at once; a fault names option, value and what is allowed."""

from collections.abc import Iterator, Mapping
from typing import Annotated, Any, ClassVar, TypeVar

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    InstanceOf,
    PlainSerializer,
    ValidationError,
    ValidationInfo,
    field_validator,
)
from pydantic_core import ErrorDetails

from controller.games.bets.added import bet_spots
from controller.games.option_faults import BadOptions, OptionFault, written_text
from controller.money import Ratio, ratio
from controller.text.choices import literal_texts, nearest


def _ratio(value: object) -> Ratio:
    if isinstance(value, str):
        return ratio(value)
    raise ValueError("a ratio is text")


PayRatio = Annotated[InstanceOf[Ratio], BeforeValidator(_ratio), PlainSerializer(str)]
"""A ratio, written "3:2"."""


def one_of(*allowed: int) -> AfterValidator:
    """Limits a whole number to a few. A Literal would accept true for 1 and 6.0 for 6."""

    def check_one(value: int) -> int:
        if value not in allowed:
            raise ValueError(f"{value} is none of {allowed}")
        return value

    return AfterValidator(check_one)


class TableOptions(BaseModel):
    """The options of every game. Each field's description says what is allowed."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, allow_inf_nan=False)
    spots: ClassVar[tuple[str, ...]] = ()

    decks: int = Field(8, description="a number of decks")
    chip: int = Field(1, ge=1, description="cents, a whole number from 1 on")
    burn_cards: int = Field(1, ge=0, le=52, description="a whole number from 0 to 52")
    bets: dict[str, dict[str, Any]] = Field(
        default_factory=dict,
        description='side bets of plug-ins, each with its options, as {"lucky-pair": {}}',
    )
    limits: dict[str, Annotated[list[Annotated[int, Field(ge=0)]], Field(min_length=2, max_length=2)]] = (
        Field(
            default_factory=dict,
            description='spot to [minimum, maximum] in cents, as {"main": [500, 100000]}',
        )
    )

    def limit(self, spot: str) -> tuple[int, int | None]:
        """The minimum and maximum of a wager on a spot, in cents; None: there is no maximum."""
        least, most = self.limits.get(spot, (1, None))
        return least, most

    @field_validator("bets")
    @classmethod
    def _bets_are_installed(cls, bets: dict[str, dict[str, Any]]) -> dict[str, dict[str, Any]]:
        bet_spots(bets)
        return bets

    @field_validator("limits")
    @classmethod
    def _limits_fit(cls, limits: dict[str, list[int]], info: ValidationInfo) -> dict[str, list[int]]:
        spots = (*cls.spots, *bet_spots(info.data.get("bets", {})))
        faults = tuple(
            fault for spot, between in limits.items() for fault in cls._limit_faults(spot, between, spots)
        )
        if faults:
            raise BadOptions(faults)
        return limits

    @classmethod
    def _limit_faults(cls, spot: str, between: list[int], spots: tuple[str, ...]) -> Iterator[OptionFault]:
        if spot not in spots:
            known = f"only {', '.join(spots)}"
            yield OptionFault(f"limits.{spot}", between, known, nearest(spot, spots))
        if between[0] > between[1]:
            yield OptionFault(f"limits.{spot}", between, "a minimum that is not above the maximum")


class BetOptions(BaseModel):
    """The options of a side bet that a plug-in provides. Each field's description says what is allowed."""

    model_config = TableOptions.model_config


Options = TypeVar("Options", bound=BaseModel)


DERIVED_DEFAULT = "default_factory_not_called"
"""Pydantic's error for a default that follows from another option, if that one is faulty."""


def check(model: type[Options], options: Mapping[str, Any]) -> Options:
    """The checked options of a game or a side bet; raises BadOptions with every fault."""
    try:
        return model.model_validate(dict(options))
    except ValidationError as invalid:
        raise BadOptions(faults(model, invalid, options)) from None


def faults(model: type[BaseModel], invalid: ValidationError, written: object) -> tuple[OptionFault, ...]:
    """The faults that pydantic found in `written`. The description of a field says what is allowed.

    If a value may have one of several forms, only the most specific fault counts.
    """
    errors = [error for error in invalid.errors() if error["type"] != DERIVED_DEFAULT]
    found = {str(fault): fault for error in errors for fault in _faults(model, error, written)}
    exact = {option for option, dot, _ in (fault.key.partition(".") for fault in found.values()) if dot}
    return tuple(fault for fault in found.values() if fault.key not in exact)


def _faults(model: type[BaseModel], error: ErrorDetails, written: object) -> tuple[OptionFault, ...]:
    cause = error.get("ctx", {}).get("error")
    if isinstance(cause, BadOptions):
        return cause.faults
    missing = error["type"] == "missing"
    key = ".".join(map(str, error["loc"] if missing else _places(error["loc"], written)))
    value = None if missing else error["input"]
    name = key.partition(".")[0]
    return (OptionFault(key or "all", value, _allowed(model, name), _nearest(model, name, value)),)


def _places(loc: tuple[int | str, ...], written: object) -> Iterator[int | str]:
    """The parts of a location that exist in the input; the others name a form that the value may have."""
    for part in loc:
        match written:
            case dict() if part in written:
                written = written[part]
                yield part
            case list() if isinstance(part, int):
                written = written[part]
                yield part


def _allowed(model: type[BaseModel], key: str) -> str:
    field = model.model_fields.get(key)
    return f"only {', '.join(model.model_fields)}" if field is None else str(field.description)


def _nearest(model: type[BaseModel], key: str, value: object) -> str | None:
    """The option that is most like an unknown one, or else the text that is most like the value."""
    field = model.model_fields.get(key)
    if field is None:
        return nearest(key, model.model_fields)
    meant = nearest(value, literal_texts(field.annotation))
    return meant and written_text(meant)
