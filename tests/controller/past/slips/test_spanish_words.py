"""Amounts in Spanish words, read back by independent code."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.currency import named_currency
from controller.languages import CHOICES, LANGUAGES, speaking
from controller.past.slips.spanish_words import number
from controller.past.slips.words import MOST, WRITERS, amount_in_words

WORDS = """
cero un dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciséis diecisiete
dieciocho diecinueve veinte veintiún veintidós veintitrés veinticuatro veinticinco veintiséis veintisiete
veintiocho veintinueve"""
DECADES = "treinta cuarenta cincuenta sesenta setenta ochenta noventa"
CENTURIES = """
doscientos trescientos cuatrocientos quinientos seiscientos setecientos ochocientos novecientos"""
VALUES = {
    **{word: value for value, word in enumerate(WORDS.split())},
    **{word: 10 * value for value, word in enumerate(DECADES.split(), start=3)},
    **{word: 100 * value for value, word in enumerate(CENTURIES.split(), start=2)},
    "cien": 100,
    "ciento": 100,
}
MILLIONS = {"millón": 10**6, "millones": 10**6, "billón": 10**12, "billones": 10**12}


def read(text: str) -> int:
    """The number in these words."""
    total = group = part = 0
    for word in text.split():
        if word == "mil":
            group, part = group + 1000 * (part or 1), 0
        elif word in MILLIONS:
            total, group, part = total + (group + part) * MILLIONS[word], 0, 0
        elif word != "y":
            part += VALUES[word]
    return total + group + part


def spanish(minor: int, code: str) -> str:
    with speaking(LANGUAGES["es"]):
        return amount_in_words(minor, named_currency(code))


def test_every_number_up_to_a_hundred_thousand_reads_back_and_is_its_own() -> None:
    spoken = [number(value) for value in range(100_000)]
    assert [read(text) for text in spoken] == list(range(100_000))
    assert len(set(spoken)) == len(spoken)


@given(st.integers(0, MOST - 1))
def test_every_number_reads_back(value: int) -> None:
    assert read(number(value)) == value


@pytest.mark.parametrize(
    ("code", "minor", "text"),
    [
        ("USD", 123_456, "mil doscientos treinta y cuatro dólares estadounidenses con 56/100"),
        ("USD", 100, "un dólar estadounidense con 00/100"),
        ("MXN", 10_000, "cien pesos mexicanos con 00/100"),
        ("MXN", 10_105, "ciento un pesos mexicanos con 05/100"),
        ("CLP", 21_021, "veintiún mil veintiún pesos chilenos"),
        ("CLP", 1_000_000, "un millón de pesos chilenos"),
        ("CLP", 1_000_001, "un millón un pesos chilenos"),
        ("COP", 300_000_000_000, "tres mil millones de pesos colombianos con 00/100"),
        ("CLP", 2 * 10**12, "dos billones de pesos chilenos"),
        ("GBP", 23_100, "doscientas treinta y una libras esterlinas con 00/100"),
        ("GBP", 20_000_000_000, "doscientos millones de libras esterlinas con 00/100"),
        ("KWD", 5_250, "cinco dinares kuwaitíes con 250/1000"),
        ("", 123_456, "mil doscientos treinta y cuatro dólares con 56 centavos"),
        ("", 0, "cero dólares con 0 centavos"),
        ("", 101, "un dólar con 1 centavo"),
    ],
)
def test_amounts_are_written_in_the_words_of_their_currency(code: str, minor: int, text: str) -> None:
    assert spanish(minor, code) == text


def test_each_language_that_a_person_may_choose_writes_amounts() -> None:
    assert set(WRITERS) == {language.code for language in CHOICES}
