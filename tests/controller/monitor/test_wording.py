"""Amounts and times as the page writes them."""

import time

import pytest

from controller.currency.formatting import amount_text, signed_text
from controller.monitor.live import formatting


@pytest.mark.parametrize(
    ("cents", "text"), [(None, "?"), (0, "0"), (5, "0.05"), (1250, "12.50"), (150_000, "1,500"), (100, "1")]
)
def test_amounts_are_written_with_separators(cents: int | None, text: str) -> None:
    assert amount_text(cents) == text


@pytest.mark.parametrize(
    ("cents", "text"), [(None, "?"), (0, "0"), (1500, "+15"), (-1250, "−12.50"), (-5, "−0.05")]
)
def test_gains_are_written_with_a_sign(cents: int | None, text: str) -> None:
    assert signed_text(cents) == text


def test_moments_are_written_in_utc_and_local_time() -> None:
    assert formatting.iso_text(1_795_190_400.5) == "2026-11-20T16:00:00+00:00"
    assert formatting.clock_text(1_795_190_400.5) == time.strftime("%H:%M", time.localtime(1_795_190_400.5))
