"""Amounts as people see them."""

import re

import pytest

from controller.currency import BadAmount, named_currency, using
from controller.currency.formatting import (
    amount_text,
    exact_text,
    money_text,
    parse_typed,
    signed_text,
    typed_pattern,
)


@pytest.mark.parametrize(
    ("code", "minor", "short", "exact"),
    [
        ("USD", 123_450, "$1,234.50", "$1,234.50"),
        ("USD", 150_000, "$1,500", "$1,500.00"),
        ("USD", -5, "−$0.05", "−$0.05"),
        ("JPY", 1_250, "¥1,250", "¥1,250"),
        ("KWD", 1_250, "KWD\u00a01.250", "KWD\u00a01.250"),
        ("KWD", 5_000, "KWD\u00a05", "KWD\u00a05.000"),
        ("CAD", 2_500, "CA$25", "CA$25.00"),
        ("EUR", 0, "€0", "€0.00"),
        ("", 123_450, "1,234.50", "1,234.50"),
        ("", 150_000, "1,500", "1,500.00"),
    ],
)
def test_an_amount_has_the_symbol_and_the_decimals_of_its_currency(
    code: str, minor: int, short: str, exact: str
) -> None:
    currency = named_currency(code)
    assert money_text(minor, currency) == short
    with using(currency):
        assert (amount_text(minor), exact_text(minor)) == (short, exact)


def test_a_gain_has_a_sign_before_the_symbol() -> None:
    with using(named_currency("USD")):
        assert [signed_text(minor) for minor in (1500, -1250, 0, None)] == ["+$15", "−$12.50", "$0", "?"]


TYPED = {
    "USD": ("25", "25.5", "$25", "$ 1,250.50", "1,250 USD", "1250$", " 7 "),
    "JPY": ("¥1,250", "1250"),
    "KWD": ("KWD 1.250", "KWD1.250"),
    "EUR": ("€25", "25 €", "25 EUR"),
    "": ("1,250.50", "25"),
}
NOT_TYPED = ("", "$", "1,25", "12,3456", "25.555", "-5", "1 000", "£5", "1e3", "25.", ".5", "1,250,")


@pytest.mark.parametrize(("code", "typed"), [(code, typed) for code in TYPED for typed in TYPED[code]])
def test_what_people_type_is_an_amount_and_fits_the_pattern_of_a_field(code: str, typed: str) -> None:
    currency = named_currency(code)
    parse_typed(typed, currency)
    assert re.fullmatch(typed_pattern(currency), typed)


@pytest.mark.parametrize("typed", NOT_TYPED)
def test_anything_else_is_refused_by_both(typed: str) -> None:
    currency = named_currency("USD")
    with pytest.raises(BadAmount):
        parse_typed(typed, currency)
    assert not re.fullmatch(typed_pattern(currency), typed)
