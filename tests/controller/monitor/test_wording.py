"""Amounts as the page writes them."""

import pytest

from controller.monitor import wording


@pytest.mark.parametrize(
    ("cents", "text"), [(None, "?"), (0, "0"), (5, "0.05"), (1250, "12.50"), (150_000, "1,500"), (100, "1")]
)
def test_amount(cents: int | None, text: str) -> None:
    assert wording.amount(cents) == text


@pytest.mark.parametrize(
    ("cents", "text"), [(None, "?"), (0, "0"), (1500, "+15"), (-1250, "−12.50"), (-5, "−0.05")]
)
def test_signed(cents: int | None, text: str) -> None:
    assert wording.signed(cents) == text
