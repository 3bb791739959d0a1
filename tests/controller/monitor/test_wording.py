"""Amounts as the page writes them."""

import time

import pytest

from controller.monitor.live import formatting


@pytest.mark.parametrize(
    ("cents", "text"), [(None, "?"), (0, "0"), (5, "0.05"), (1250, "12.50"), (150_000, "1,500"), (100, "1")]
)
def test_amount(cents: int | None, text: str) -> None:
    assert formatting.amount(cents) == text


@pytest.mark.parametrize(
    ("cents", "text"), [(None, "?"), (0, "0"), (1500, "+15"), (-1250, "−12.50"), (-5, "−0.05")]
)
def test_signed(cents: int | None, text: str) -> None:
    assert formatting.signed(cents) == text


def test_moments() -> None:
    assert formatting.stamp(1_795_190_400.5) == "2026-11-20T16:00:00+00:00"
    assert formatting.clock(1_795_190_400.5) == time.strftime("%H:%M", time.localtime(1_795_190_400.5))
