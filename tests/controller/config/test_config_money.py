"""The currency of a table and its chips: what is accepted, and what faults say."""

from typing import Any

import pytest

from controller.config import parse
from controller.currency import Chip
from tests.controller.config.test_config import faults, good

RED_5 = {"value": "5", "colour": "red"}
ODD = [
    {"value": "999.99", "colour": "red"},
    {"value": "1000.03", "colour": "blue"},
    {"value": "5000.09", "colour": "grey"},
]


def with_table(**keys: object) -> dict[str, Any]:
    raw = good()
    raw["table"] |= keys
    return raw


def test_a_table_may_have_no_currency_and_no_chips() -> None:
    table = parse(good()).table
    assert (table.currency, table.chips) == (None, ())


def test_a_table_in_dollars_has_the_usual_chips_unless_it_names_its_own() -> None:
    assert parse(with_table(currency="USD")).table.chips[:3] == (
        Chip(50, "pink"),
        Chip(100, "white"),
        Chip(500, "red"),
    )
    assert parse(with_table(currency="EUR")).table.chips == ()
    chips = [{"value": "10", "colour": "green"}, {"value": "0.250", "colour": "blue"}]
    own = parse(with_table(currency="KWD", chips=chips)).table.chips
    assert own == (Chip(250, "blue"), Chip(10_000, "green"))


@pytest.mark.parametrize(
    ("code", "meant"), [("usd", '; did you mean "USD"?'), ("DOLLAR", ""), (840, ""), ("", "")]
)
def test_an_unknown_currency_is_named_with_the_code_that_is_most_like_it(code: object, meant: str) -> None:
    (fault,) = faults(with_table(currency=code, chips=[RED_5]))
    assert fault.startswith("table.currency = ")
    assert fault.endswith(
        f'not allowed; allowed: the code of a currency in ISO 4217, as "USD", "EUR" or "JPY"{meant}'
    )


@pytest.mark.parametrize(
    ("chips", "fault"),
    [
        ([], "not allowed; allowed: 1 to 11 chips with a value"),
        ("5", "not allowed; allowed: 1 to 11 chips with a value"),
        ([5], "not a chip; allowed: chips with a value"),
        ([{"value": "5"}], "not a chip; allowed: chips with a value"),
        ([RED_5 | {"name": "nickel"}], "not a chip; allowed: chips with a value"),
        (
            [RED_5 | {"value": 5}],
            'allowed: text: USD with at most 2 decimals, as "5"',
        ),
        ([RED_5 | {"value": "2.505"}], "value is not an amount"),
        ([RED_5 | {"value": "0.00"}], "value is not an amount"),
        ([RED_5 | {"colour": "gren"}], "; did you mean green?"),
        ([RED_5 | {"colour": ["red"]}], "unknown colour; allowed: white, grey"),
        ([RED_5, RED_5 | {"value": "5.00", "colour": "blue"}], "value 5.00 comes twice"),
        ([RED_5, RED_5 | {"value": "10"}], "colour red comes twice; allowed: another colour for each chip"),
        (
            [
                RED_5 | {"value": "999.99"},
                {"value": "1000.03", "colour": "blue"},
                {"value": "5000.09", "colour": "grey"},
            ],
            "so odd that the fewest chips of an amount cannot be found",
        ),
    ],
)
def test_a_fault_of_the_chips_names_the_chip_and_what_is_allowed(chips: object, fault: str) -> None:
    (found,) = faults(with_table(currency="USD", chips=chips))
    assert found.startswith("table.chips = ")
    assert fault in found


def test_a_game_with_a_jackpot_needs_a_currency() -> None:
    assert faults(with_table(game="blackjack-x")) == [
        "table.currency is missing, with the jackpot blazing-7s; needed: the code of a currency in ISO 4217, "
        'as "USD", "EUR" or "JPY"'
    ]


@pytest.mark.parametrize(
    ("zone", "meant"),
    [("America/Los Angeles", '; did you mean "America/Los_Angeles"?'), ("Mars", ""), ("", ""), (5, "")],
)
def test_an_unknown_time_zone_is_named_with_the_one_that_is_most_like_it(zone: object, meant: str) -> None:
    (fault,) = faults(with_table(time_zone=zone))
    assert fault.startswith("table.time_zone = ")
    assert fault.endswith(f'allowed: a name of the time zone database, as "America/Los_Angeles"{meant}')


def test_gaming_days_begin_by_the_clock_of_the_table() -> None:
    found = parse(with_table(time_zone="America/Los_Angeles")).report_settings
    assert found.calendar.zone == "America/Los_Angeles"


def test_chips_need_a_currency() -> None:
    assert faults(with_table(chips=[RED_5])) == [
        'table.chips = [{"value": "5", "colour": "red"}]: not allowed without currency; '
        "allowed: no chips, or a currency"
    ]
