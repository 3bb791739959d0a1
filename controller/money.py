"""Integer cents and exact ratios, without floats."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from controller.currency import currency_in_use

_RATIO = re.compile(r"([1-9][0-9]{0,5}):([1-9][0-9]{0,5})")


@dataclass(frozen=True, slots=True)
class Ratio:
    """The pay of a wager, `win` to `stake`. The ratio is not reduced: "6:4" stays "6:4". If `win` is 0, only
    the stake is returned."""

    win: int
    stake: int

    def __post_init__(self) -> None:
        if self.win < 0 or self.stake < 1:
            raise ValueError(f"a ratio is of a whole number to one from 1 on, not {self}")

    def __str__(self) -> str:
        return f"{self.win}:{self.stake}"


EVEN = Ratio(1, 1)

_PERCENT = re.compile(r"[0-9]{1,3}(\.[0-9]{1,2})?%")


def ratio(text: str) -> Ratio:
    """Parse a ratio such as "3:2". Raises ValueError unless both are whole numbers from 1 to 999999."""
    found = _RATIO.fullmatch(text)
    if not found:
        raise ValueError(f'{text!r} is not a ratio: two whole numbers from 1 on, as "3:2"')
    return Ratio(int(found[1]), int(found[2]))


def percent(text: str) -> Fraction:
    """Parse a share such as "15%" or "2.75%". Raises ValueError if it has another form."""
    if not _PERCENT.fullmatch(text):
        raise ValueError(f'{text!r} is not a share: hundredths with at most two decimals, as "2.75%"')
    return Fraction(text[:-1]) / 100


def percent_text(share: Fraction) -> str:
    """The share as text that `percent` can parse, such as "15.00%" for 3/20. Digits beyond a hundredth of a
    percent are cut off."""
    whole, part = divmod(int(share * 10_000), 100)
    return f"{whole}.{part:02}%"


def pay(pays: Ratio, stake: int, chip: int) -> tuple[int, Fraction]:
    """The win of `stake` cents, rounded down to a multiple of `chip` cents, and the cents cut off."""
    gain = stake * pays.win
    paid = gain // (pays.stake * chip) * chip
    return paid, Fraction(gain - paid * pays.stake, pays.stake)


def part(share: Fraction, cents: int, chip: int) -> tuple[int, Fraction]:
    """A share of `cents`, rounded down to a multiple of `chip` cents, and the cents cut off."""
    exact = share * cents
    whole = exact // chip * chip
    return whole, exact - whole


def half(cents: int, chip: int) -> int:
    """Half of `cents`, rounded down to a multiple of `chip` cents."""
    return cents // (2 * chip) * chip


def sum_cents(amounts: Iterable[int | None]) -> int | None:
    """The sum of the amounts; None if one of them is None, which stands for unknown."""
    known = list(amounts)
    return None if None in known else sum(filter(None, known))


def text(cents: int) -> str:
    """An amount as a plain decimal in the currency in use: 1250 is "12.50", -5 is "-0.05" where it has
    hundredths."""
    return currency_in_use().text(cents)
