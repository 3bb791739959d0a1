"""A currency, and amounts in it as plain decimals.

An amount is a whole number of minor units: cents, where the currency has cents. How an amount is written
depends on the currency, and on nothing else, so texts that are made deep inside the rules take the currency
in use from a context variable, as `decimal` takes its precision. `apply` of the table sets it from the state;
readers of a journal set it from the journal. No amount is ever computed with it.
"""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Final

from controller.currency.codes import MINOR_DIGITS


class BadAmount(ValueError):
    """A text that is not an amount; the message says what is."""


@dataclass(frozen=True, slots=True)
class Currency:
    """`code`: ISO 4217, empty in journals of versions that recorded none. `digits`: those after the decimal
    point."""

    code: str
    digits: int

    @property
    def unit(self) -> int:
        """The minor units of one whole unit: 100 for dollars, 1 for yen."""
        return int(10**self.digits)

    def text(self, minor: int) -> str:
        """A plain decimal: "12.50" in USD, "1250" in JPY, "1.250" in KWD."""
        whole, part = divmod(abs(minor), self.unit)
        fraction = f".{part:0{self.digits}}" if self.digits else ""
        return f"{'-' * (minor < 0)}{whole}{fraction}"

    def parse(self, text: str) -> int:
        """The minor units of a plain decimal from 0 on, such as "5" or "2.50". Raises BadAmount."""
        found = re.fullmatch(r"([0-9]{1,15})(?:\.([0-9]+))?", text, re.ASCII)
        if not found or len(found[2] or "") > self.digits:
            raise BadAmount(f"{text!r} is not an amount; allowed: {self.allowed}")
        return int(found[1]) * self.unit + int((found[2] or "").ljust(self.digits, "0") or 0)

    @property
    def allowed(self) -> str:
        """What an amount looks like, for messages."""
        if not self.digits:
            return f'whole {self.code}, as "5"'
        example = self.text(self.unit * 5 // 2)
        return f'{self.code or "units"} with at most {self.digits} decimals, as "5" or "{example}"'


UNNAMED: Final = Currency("", 2)
"""The money of journals whose version recorded no currency."""


def named_currency(code: str) -> Currency:
    """The currency with a code of ISO 4217; UNNAMED for an empty one. Raises ValueError."""
    if not code:
        return UNNAMED
    if code not in MINOR_DIGITS:
        raise ValueError(f"{code!r} is not the code of a currency")
    return Currency(code, MINOR_DIGITS[code])


_IN_USE: ContextVar[Currency] = ContextVar("currency in use", default=UNNAMED)


def currency_in_use() -> Currency:
    return _IN_USE.get()


def use(currency: Currency) -> None:
    """Amounts are written in this currency from now on, in this context."""
    _IN_USE.set(currency)


@contextmanager
def using(currency: Currency) -> Iterator[None]:
    """Amounts are written in this currency while the context lasts."""
    before = _IN_USE.set(currency)
    try:
        yield
    finally:
        _IN_USE.reset(before)
