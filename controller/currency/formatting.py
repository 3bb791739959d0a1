"""Amounts of money as pages, slips and commands show them, with symbol and separators."""

import re
from collections.abc import Mapping
from decimal import Decimal
from functools import cache, lru_cache
from typing import Final

from babel import Locale
from babel.numbers import NumberPattern, get_currency_name, get_currency_symbol, parse_pattern

from controller.currency.codes import MINOR_DIGITS
from controller.currency.currency import BadAmount, Currency, currency_in_use, named_currency

LOCALE: Final = Locale.parse("en")
MINUS: Final = "−"
_GAP: Final = "\u00a0"
"""Between letters and digits: "KWD 1.250"."""
_NUMBER: Final = re.compile(r"[\s0-9.,]")
_GROUPED: Final = re.compile(r"[0-9]{1,3}(,[0-9]{3})+(\.[0-9]+)?")


def amount_text(minor: int | None, currency: Currency | None = None) -> str:
    """An amount: "$1,500", "$12.50", "¥1,250"; "?" if it is unknown. Whole units have no decimals. Without a
    currency, in the one in use."""
    return "?" if minor is None else money_text(minor, currency or currency_in_use())


def signed_text(minor: int | None, currency: Currency | None = None) -> str:
    """A gain or loss with its sign (a true minus): "+$15", "−$12.50", "$0". Without a currency, in the one in
    use."""
    if minor is None or minor == 0:
        return amount_text(minor, currency)
    return f"{'+' if minor > 0 else MINUS}{amount_text(abs(minor), currency)}"


def exact_text(minor: int) -> str:
    """An amount in the currency in use with all its decimals: "$1,250.00", "−$0.05"."""
    return money_text(minor, currency_in_use(), whole_without_decimals=False)


@lru_cache(maxsize=4096)
def money_text(minor: int, currency: Currency, *, whole_without_decimals: bool = True) -> str:
    """An amount with a true minus before it if it is negative."""
    short = whole_without_decimals and minor % currency.unit == 0
    value = Decimal(abs(minor)).scaleb(-currency.digits)
    pattern = _pattern(currency, 0 if short else currency.digits)
    return (
        f"{MINUS * (minor < 0)}{pattern.apply(value, LOCALE, currency=currency.code, currency_digits=False)}"
    )


def parse_typed(text: str, currency: Currency) -> int:
    """The minor units of an amount as people type it: "25", "25.00", "$25" or "1,250.50 USD". Raises
    BadAmount."""
    plain = text.strip()
    for mark in marks(currency):
        plain = plain.removeprefix(mark).removesuffix(mark).strip()
    if _GROUPED.fullmatch(plain):
        plain = plain.replace(",", "")
    try:
        return currency.parse(plain)
    except BadAmount:
        raise BadAmount(f"{text!r} is not an amount; allowed: {currency.allowed}") from None


def typed_currency(text: str) -> Currency | None:
    """The currency whose symbol or code is in an amount as people type it; None if there is none. Raises
    BadAmount for anything else beside the number."""
    mark = _NUMBER.sub("", text)
    if not mark:
        return None
    code = mark if mark in MINOR_DIGITS else _codes().get(mark)
    if code is None:
        raise BadAmount(f'{text!r} is not an amount; allowed: a number, as "25", and a currency, as "25 USD"')
    return named_currency(code)


@cache
def _codes() -> Mapping[str, str]:
    """The code of each currency, by its symbol."""
    return {symbol(named_currency(code)): code for code in MINOR_DIGITS}


def marks(currency: Currency) -> tuple[str, ...]:
    """What may stand before or after an amount that people type: "$" and "USD"."""
    return tuple(dict.fromkeys(filter(None, (symbol(currency), currency.code))))


def typed_pattern(currency: Currency) -> str:
    """What `parse_typed` reads of up to ten digits, as a regular expression for fields of forms."""
    mark = "|".join(map(re.escape, marks(currency)))
    before, after = (rf"(?:(?:{mark})\s*)?", rf"(?:\s*(?:{mark}))?") if mark else ("", "")
    decimals = rf"(?:[.][0-9]{{1,{currency.digits}}})?" if currency.digits else ""
    return rf"\s*{before}(?:[0-9]{{1,10}}|[0-9]{{1,3}}(?:,[0-9]{{3}}){{1,3}}){decimals}{after}\s*"


def symbol(currency: Currency) -> str:
    """ "$" for USD, the code for a currency without a symbol of its own, empty for UNNAMED."""
    return get_currency_symbol(currency.code, LOCALE) if currency.code else ""


def unit_name(currency: Currency, count: int, locale: str | Locale = LOCALE) -> str:
    """The name of one or several whole units: "US dollar", "US dollars"."""
    return get_currency_name(currency.code, 1 if count == 1 else 2, locale)


@cache
def _pattern(currency: Currency, decimals: int) -> NumberPattern:
    gap = _GAP if symbol(currency)[-1:].isalpha() else ""
    formats = LOCALE.currency_formats["standard"] if currency.code else LOCALE.decimal_formats[None]
    pattern = parse_pattern(formats.pattern.replace("¤", f"¤{gap}"))
    pattern.frac_prec = decimals, decimals
    return pattern
