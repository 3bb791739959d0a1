"""The chips of a table: what is written, and which they are without."""

from collections.abc import Mapping
from typing import Annotated, Any, Final, cast

from pydantic import Field, InstanceOf

from controller.config.section import conflict
from controller.currency import Chip, Currency
from controller.currency.chips import MOST_SUMS, sums_to_search
from controller.currency.currency import BadAmount
from controller.text.choices import nearest

COLOURS: Final = (
    "white",
    "grey",
    "black",
    "brown",
    "red",
    "pink",
    "orange",
    "yellow",
    "green",
    "blue",
    "purple",
)
MOST_CHIPS: Final = len(COLOURS)
ALLOWED: Final = 'chips with a value in the currency and a colour, as [{ value = "5", colour = "red" }]'
Chips = Annotated[tuple[InstanceOf[Chip], ...], Field(description=ALLOWED)]
USUAL: Final[Mapping[str, tuple[Chip, ...]]] = {
    "USD": (
        Chip(50, "pink"),
        Chip(100, "white"),
        Chip(500, "red"),
        Chip(2_500, "green"),
        Chip(10_000, "black"),
        Chip(50_000, "purple"),
        Chip(100_000, "yellow"),
        Chip(500_000, "brown"),
    )
}
"""The chips of a table whose configuration names none, by the code of its currency."""


def checked_chips(written: object, currency: Currency) -> tuple[Chip, ...]:
    """The chips of a list in the document, the smallest first. Raises the conflict of the key `chips`."""
    if not currency.code:
        raise _fault(written, "not allowed without currency; allowed: no chips, or a currency")
    if not isinstance(written, list) or not written or len(written) > MOST_CHIPS:
        raise _fault(written, f"not allowed; allowed: 1 to {MOST_CHIPS} {ALLOWED}")
    chips = tuple(sorted((_chip(one, currency) for one in written), key=lambda chip: chip.value))
    _refuse_repeated("value", [currency.text(chip.value) for chip in chips], written)
    _refuse_repeated("colour", [chip.colour for chip in chips], written)
    if sums_to_search([chip.value for chip in chips]) > MOST_SUMS:
        fault = "so odd that the fewest chips of an amount cannot be found"
        raise _fault(written, f"{fault}; allowed: values of which most are multiples of a smaller one")
    return chips


def _chip(written: object, currency: Currency) -> Chip:
    if not isinstance(written, dict) or not {"value", "colour"} == written.keys():
        raise _fault(written, f"not a chip; allowed: {ALLOWED}")
    fields = cast("dict[str, Any]", written)
    return Chip(_value(fields["value"], written, currency), _colour(fields["colour"], written))


def _value(value: object, written: object, currency: Currency) -> int:
    allowed = f"text: {currency.allowed}, more than 0"
    try:
        minor = currency.parse(value) if isinstance(value, str) else 0
    except BadAmount:
        minor = 0
    if not minor:
        raise _fault(written, f"value is not an amount; allowed: {allowed}")
    return minor


def _colour(colour: object, written: object) -> str:
    if not isinstance(colour, str) or colour not in COLOURS:
        like = nearest(colour, COLOURS)
        meant = f"; did you mean {like}?" if like else ""
        raise _fault(written, f"unknown colour; allowed: {', '.join(COLOURS)}{meant}")
    return colour


def _refuse_repeated(key: str, texts: list[str], written: object) -> None:
    if twice := next((text for text in texts if texts.count(text) > 1), None):
        raise _fault(written, f"{key} {twice} comes twice; allowed: another {key} for each chip")


def _fault(written: object, fault: str) -> Exception:
    return conflict("chips", written, fault)
