"""Currencies, and amounts as plain decimals."""

import pytest
from babel.core import get_global
from babel.numbers import get_currency_precision

from controller.currency import MINOR_DIGITS, UNNAMED, BadAmount, currency_in_use, named_currency, using

ROUNDED = "AFN ALL IQD IRR KPW LAK LBP MGA MMK RSD SOS SYP YER"
"""Their minor unit is out of use, and Babel leaves it out."""


def test_the_known_currencies_are_those_that_are_legal_tender_today() -> None:
    tenders = (entry for entries in get_global("territory_currencies").values() for entry in entries)
    assert set(MINOR_DIGITS) == {code for code, _, end, tender in tenders if tender and end is None}


def test_minor_units_are_those_of_the_standard() -> None:
    for code in set(MINOR_DIGITS) - set(ROUNDED.split()):
        assert named_currency(code).digits == get_currency_precision(code), code
    assert named_currency("IQD").digits == 3


@pytest.mark.parametrize(
    ("code", "minor", "text"),
    [
        ("USD", 1250, "12.50"),
        ("USD", -5, "-0.05"),
        ("JPY", 1250, "1250"),
        ("JPY", -1, "-1"),
        ("KWD", 1250, "1.250"),
        ("", 1250, "12.50"),
    ],
)
def test_an_amount_has_the_decimals_of_its_currency(code: str, minor: int, text: str) -> None:
    assert named_currency(code).text(minor) == text
    if minor >= 0:
        assert named_currency(code).parse(text) == minor


@pytest.mark.parametrize(
    ("code", "text", "minor"),
    [("USD", "5", 500), ("USD", "2.5", 250), ("JPY", "500", 500), ("KWD", "0.25", 250)],
)
def test_trailing_zeros_may_be_left_out(code: str, text: str, minor: int) -> None:
    assert named_currency(code).parse(text) == minor


@pytest.mark.parametrize(
    ("code", "text", "allowed"),
    [
        ("USD", "2.505", 'USD with at most 2 decimals, as "5" or "2.50"'),
        ("JPY", "2.5", 'whole JPY, as "5"'),
        ("USD", "-5", "at most 2 decimals"),
        ("USD", "$5", "at most 2 decimals"),
        ("USD", "٥", "at most 2 decimals"),
        ("", "", "units with at most 2 decimals"),
    ],
)
def test_a_text_that_is_no_amount_is_refused_with_what_is_allowed(code: str, text: str, allowed: str) -> None:
    with pytest.raises(BadAmount, match="is not an amount") as refused:
        named_currency(code).parse(text)
    assert repr(text) in str(refused.value)
    assert allowed in str(refused.value)


def test_an_unknown_code_is_refused() -> None:
    with pytest.raises(ValueError, match="'USX' is not the code of a currency"):
        named_currency("USX")


def test_a_currency_is_in_use_until_its_context_ends() -> None:
    assert currency_in_use() is UNNAMED
    with using(named_currency("JPY")):
        assert currency_in_use().code == "JPY"
        with using(named_currency("KWD")):
            assert currency_in_use().code == "KWD"
        assert currency_in_use().code == "JPY"
    assert currency_in_use() is UNNAMED
