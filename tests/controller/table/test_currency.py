"""The currency of a table: what the journal records, and how the table writes amounts."""

from dataclasses import replace
from pathlib import Path

import pytest

from controller.journal.errors import ForeignCurrency
from controller.journal.journal import Journal
from controller.table.record.codec import to_row
from controller.table.record.events import Started
from controller.table.recovery import recover
from controller.table.state_machine import apply
from controller.table.view.build import build_view
from tests.fixtures.state_table import StateTable

LIMITS = {"main": [500, 10_000]}
STARTED = Started("1.0", "easy-jack", 7, {"limits": LIMITS}, {"shoe": "SHOE-1"})


def recorded(folder: Path, currency: str) -> Path:
    """A journal of a table in this currency."""
    path = folder / "journal"
    with Journal(path) as journal:
        journal.append([to_row(1.0, replace(STARTED, currency=currency))])
    return path


@pytest.mark.parametrize(
    ("recorded_code", "configured"), [("USD", "USD"), ("JPY", "JPY"), ("", ""), ("", "EUR")]
)
def test_a_journal_goes_on_in_its_currency_and_takes_one_if_it_has_none(
    tmp_path: Path, recorded_code: str, configured: str
) -> None:
    with Journal(recorded(tmp_path, recorded_code)) as journal:
        started = replace(STARTED, currency=configured)
        state = recover(journal, started)
        apply(state, started)
        assert build_view("T", state, ()).currency == configured


@pytest.mark.parametrize(
    ("recorded_code", "configured", "sentence"),
    [
        (
            "USD",
            "EUR",
            'table.currency = "EUR", but the amounts of this journal are in USD; allowed: "USD"',
        ),
        ("USD", "", "table.currency is missing, but the amounts of this journal are in USD"),
        (
            "",
            "JPY",
            "hundredths of a unit without a name; allowed: a currency with two decimals, or a new journal",
        ),
    ],
)
def test_a_journal_in_another_currency_is_refused(
    tmp_path: Path, recorded_code: str, configured: str, sentence: str
) -> None:
    with Journal(recorded(tmp_path, recorded_code)) as journal, pytest.raises(ForeignCurrency) as refused:
        recover(journal, replace(STARTED, currency=configured))
    assert sentence in str(refused.value)


@pytest.mark.parametrize(
    ("currency", "digits", "amounts"),
    [
        ("USD", 2, ("4.00", "5.00")),
        ("JPY", 0, ("400", "500")),
        ("KWD", 3, ("0.400", "0.500")),
        ("", 2, ("4.00", "5.00")),
    ],
)
def test_the_table_writes_amounts_with_the_decimals_of_its_currency(
    currency: str, digits: int, amounts: tuple[str, str]
) -> None:
    table = StateTable(limits=LIMITS)
    table.script.currency = currency
    table.begin()
    table.play("1:main=400 close")
    view = build_view("T", table.state, ())
    assert view.prompt == "Seat 1: main of {} is under the minimum of {}".format(*amounts)
    assert (view.currency, view.minor_digits) == (currency, digits)
