"""Amounts in English words: whole units in words, and minor units as on a cheque."""

from collections.abc import Iterator

from controller.currency import Currency
from controller.currency.formatting import unit_name

SMALL = (
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
)
TENS = ("", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
SCALES = ((10**12, "trillion"), (10**9, "billion"), (10**6, "million"), (1000, "thousand"), (100, "hundred"))


def amount(minor: int, currency: Currency) -> str:
    """ "one thousand two hundred thirty-four US dollars and 56/100", "twelve thousand Japanese yen". Without
    a named currency "... dollars and 56 cents", as older versions wrote it."""
    whole, rest = divmod(minor, currency.unit)
    if not currency.code:
        return f"{number(whole)} {_plural(whole, 'dollar')} and {rest or 'no'} {_plural(rest, 'cent')}"
    fraction = f" and {rest:0{currency.digits}}/{currency.unit}" if currency.digits else ""
    return f"{number(whole)} {unit_name(currency, whole)}{fraction}"


def number(value: int) -> str:
    """A whole number in words: "two hundred thirty-four"."""
    return " ".join(_number_words(value)) or SMALL[0]


def _number_words(value: int) -> Iterator[str]:
    for scale, name in SCALES:
        count, value = divmod(value, scale)
        if count:
            yield from (*_number_words(count), name)
    if value >= len(SMALL):
        tens, ones = divmod(value, 10)
        yield f"{TENS[tens]}-{SMALL[ones]}" if ones else TENS[tens]
    elif value:
        yield SMALL[value]


def _plural(count: int, name: str) -> str:
    return name if count == 1 else f"{name}s"
