"""Amounts as people see them."""

import pytest

from controller.currency import named_currency, using
from controller.currency.formatting import amount_text, exact_text, money_text, signed_text


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
