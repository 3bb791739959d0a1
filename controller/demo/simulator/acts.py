"""What hands can do at the simulated table, as the page sends it."""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

DeviceName = Literal["shoe", "shuffler", "sensors", "display", "console"]
Cents = Annotated[int, Field(ge=0, le=2**53)]


class _Act(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class _AtSpot(_Act):
    seat: int
    spot: str


class LayChip(_AtSpot):
    """`chip`: its value in cents."""

    do: Literal["lay-chip"]
    chip: int


class LayUnreadable(_AtSpot):
    """Chips whose value no sensor can tell."""

    do: Literal["lay-unreadable"]


class TakeChips(_AtSpot):
    """One chip, or without one all of them."""

    do: Literal["take-chips"]
    chip: int | None = None


class MoveChips(_AtSpot):
    """All chips of a spot to another one."""

    do: Literal["move-chips"]
    to_seat: int
    to_spot: str


class ClearChips(_Act):
    do: Literal["clear-chips"]


class FailSensor(_AtSpot):
    """The sensor of a spot goes blind, or sees again."""

    do: Literal["fail-sensor"]
    on: bool


class Prepare(_Act):
    """These cards come next, in this order, instead of those that were prepared before."""

    do: Literal["prepare"]
    cards: Annotated[tuple[str, ...], Field(max_length=52, strict=False)]


class Draw(_Act):
    """The next card leaves the shoe. `lay`: it is laid at once where the table expects it; `force`: it is
    pulled out of a locked shoe."""

    do: Literal["draw"]
    lay: bool = False
    force: bool = False


class LayCard(_Act):
    """Lays the card in the hand. Without a place: where the table expects it."""

    do: Literal["lay-card"]
    place: str | None = None


class PickUpCard(_Act):
    """`number`: which card of the place, counted from 1."""

    do: Literal["pick-up-card"]
    place: str
    number: int


class TurnCard(_Act):
    """The dealer's face-down card is turned over."""

    do: Literal["turn-card"]


class CollectCards(_Act):
    do: Literal["collect-cards"]


class TakePack(_Act):
    """The pack out of the shuffler's tray."""

    do: Literal["take-pack"]


class LoadShoe(_Act):
    """The cards in the shoe are replaced by the pack."""

    do: Literal["load-shoe"]


class FillShuffler(_Act):
    """Full decks go into the shuffler, as many as the game has."""

    do: Literal["fill-shuffler"]


class MoveCover(_Act):
    do: Literal["cover"]
    open: bool


class SpoilCard(_Act):
    """The next card cannot be read."""

    do: Literal["spoil-card"]


class Jam(_Act):
    do: Literal["jam"]
    device: Literal["shoe", "shuffler"]
    on: bool


class PlugCable(_Act):
    do: Literal["cable"]
    device: DeviceName
    plugged: bool


class SwitchPower(_Act):
    do: Literal["power"]
    device: DeviceName
    on: bool


class Reboot(_Act):
    do: Literal["reboot"]
    device: DeviceName


class PressKey(_Act):
    """A key of the console, while the prompt with this number is displayed. `cents` 0: no amount."""

    do: Literal["press"]
    key: str
    seat: int = 0
    cents: Cents = 0
    prompt: int


Act = Annotated[
    LayChip
    | LayUnreadable
    | TakeChips
    | MoveChips
    | ClearChips
    | FailSensor
    | Prepare
    | Draw
    | LayCard
    | PickUpCard
    | TurnCard
    | CollectCards
    | TakePack
    | LoadShoe
    | FillShuffler
    | MoveCover
    | SpoilCard
    | Jam
    | PlugCable
    | SwitchPower
    | Reboot
    | PressKey,
    Field(discriminator="do"),
]
