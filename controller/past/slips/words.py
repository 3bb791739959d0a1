"""Amounts in English words, for slips."""

from collections.abc import Iterator

MOST = 10**17
"""Amounts must be smaller, in cents."""
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


def amount_in_words(cents: int) -> str:
    """ "one thousand two hundred thirty-four dollars and 56 cents" for 123,456. Raises ValueError for less
    than 0 and for a quadrillion of dollars."""
    if not 0 <= cents < MOST:
        raise ValueError(f"{cents} cents have no words; allowed: 0 to {MOST - 1}")
    dollars, rest = divmod(cents, 100)
    return f"{number(dollars)} {_plural(dollars, 'dollar')} and {rest or 'no'} {_plural(rest, 'cent')}"


def number(value: int) -> str:
    """A whole number in words: "two hundred thirty-four"."""
    return " ".join(_number_words(value)) or SMALL[0]


def figures(cents: int) -> str:
    """ "1,234.56"."""
    dollars, rest = divmod(cents, 100)
    return f"{dollars:,}.{rest:02}"


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
