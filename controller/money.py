"""Integer cents and exact ratios, without floats."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

_RATIO = re.compile(r"([1-9][0-9]{0,5}):([1-9][0-9]{0,5})")


@dataclass(frozen=True, slots=True)
class Ratio:
    """What a wager pays: `win` to `stake`, as it was written ("6:4" stays "6:4"). 0 to anything returns
    the stake only."""

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
    """The ratio that "a:b" names; raises ValueError."""
    found = _RATIO.fullmatch(text)
    if not found:
        raise ValueError(f'{text!r} is not a ratio: two whole numbers from 1 on, as "3:2"')
    return Ratio(int(found[1]), int(found[2]))


def percent(text: str) -> Fraction:
    """The exact share that "15%" or "2.75%" names; raises ValueError."""
    if not _PERCENT.fullmatch(text):
        raise ValueError(f'{text!r} is not a share: hundredths with at most two decimals, as "2.75%"')
    return Fraction(text[:-1]) / 100


def percent_text(share: Fraction) -> str:
    """The text that `percent` reads back, for a share of whole ten-thousandths: 3/20 is "15.00%"."""
    whole, part = divmod(int(share * 10_000), 100)
    return f"{whole}.{part:02}%"


def pay(pays: Ratio, stake: int, chip: int) -> tuple[int, Fraction]:
    """What `stake` cents win, rounded down to the chip, and the cents that were rounded off."""
    gain = stake * pays.win
    paid = gain // (pays.stake * chip) * chip
    return paid, Fraction(gain - paid * pays.stake, pays.stake)


def part(share: Fraction, cents: int, chip: int) -> tuple[int, Fraction]:
    """A share of an amount, rounded down to the chip, and the cents that were rounded off."""
    exact = share * cents
    whole = exact // chip * chip
    return whole, exact - whole


def half(cents: int, chip: int) -> int:
    """Half of an amount, rounded down to the chip."""
    return cents // (2 * chip) * chip


def sum_cents(amounts: Iterable[int | None]) -> int | None:
    """The sum of amounts, None if one of them is unknown."""
    known = list(amounts)
    return None if None in known else sum(filter(None, known))


def text(cents: int) -> str:
    """An amount for people: 1250 is "12.50", -5 is "-0.05"."""
    whole, part = divmod(abs(cents), 100)
    return f"{'-' * (cents < 0)}{whole}.{part:02}"
