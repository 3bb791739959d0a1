"""The simulator's page before its script draws: amounts in the currency of the table, and its languages."""

import re

import pytest

from controller.config.chips import USUAL
from controller.currency import Chip, named_currency, using
from controller.demo.simulator.document import document
from controller.demo.simulator.server import rack
from controller.demo.simulator.table import Layout
from controller.games import open_game
from controller.languages import LANGUAGES, speaking


def page(code: str, language: str = "en") -> str:
    money = named_currency(code)
    with using(money), speaking(LANGUAGES[language]):
        layout = Layout(open_game("easy-jack"), 7, rack((), money))
        return document(layout, "Try", "http://127.0.0.1:8080/")


@pytest.mark.parametrize(
    ("code", "digits", "chips"),
    [
        ("USD", "2", ["$0.50", "$1", "$5", "$25", "$100", "$500", "$1,000", "$5,000"]),
        ("JPY", "0", ["¥1", "¥5", "¥25", "¥100", "¥500", "¥1,000", "¥5,000"]),
        (
            "KWD",
            "3",
            [
                "KWD\u00a00.500",
                *(f"KWD\u00a0{each}" for each in ["1", "5", "25", "100", "500", "1,000", "5,000"]),
            ],
        ),
    ],
)
def test_chips_and_typed_amounts_are_in_the_currency_of_the_table(
    code: str, digits: str, chips: list[str]
) -> None:
    html = page(code)
    assert re.findall(r'data-chip="\d+".*?<bdi dir="ltr">(.*?)</bdi>', html) == chips
    assert re.findall(r'id="sim-amount".*data-digits="(\d)"', html) == [digits]


def test_one_chip_is_chosen_at_first() -> None:
    for code in ("USD", "JPY"):
        assert len(re.findall(r'data-chip="\d+" aria-pressed="true"', page(code))) == 1


def test_the_chips_of_the_configuration_count() -> None:
    chips = (Chip(100, "white"),)
    assert rack(chips, named_currency("JPY")) == chips
    assert rack((), named_currency("USD")) == USUAL["USD"]


def test_the_page_is_in_the_language_of_the_person() -> None:
    spanish = page("USD", "es")
    assert '<html lang="es"' in spanish
    assert '/texts/es.js"' in spanish
    assert "Recoger cartas" in spanish
    assert "diez de picas" in spanish
