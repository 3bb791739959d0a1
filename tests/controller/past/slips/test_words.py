"""Amounts in English words, read back by independent code."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.currency import UNNAMED, named_currency
from controller.past.slips.english_words import number
from controller.past.slips.words import MOST, amount_in_words

WORDS = """
no one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen
eighteen nineteen"""
DECADES = """
twenty thirty forty fifty sixty seventy eighty ninety"""
ONES = {word: value for value, word in enumerate(WORDS.split())}
TENS = {word: 10 * value for value, word in enumerate(DECADES.split(), start=2)}
SCALES = {"thousand": 10**3, "million": 10**6, "billion": 10**9, "trillion": 10**12}


def read(text: str) -> int:
    """The number in these words."""
    total = group = 0
    for word in text.replace("-", " ").split():
        if word in SCALES:
            total, group = total + group * SCALES[word], 0
        elif word == "hundred":
            group *= 100
        else:
            group += {**ONES, **TENS, "zero": 0}[word]
    return total + group


def test_every_number_up_to_a_hundred_thousand_reads_back_and_is_its_own() -> None:
    spoken = [number(value) for value in range(100_000)]
    assert [read(text) for text in spoken] == list(range(100_000))
    assert len(set(spoken)) == len(spoken)


@given(st.integers(0, MOST - 1))
def test_every_number_reads_back(value: int) -> None:
    assert read(number(value)) == value


@given(st.integers(0, 100 * MOST - 1))
def test_every_amount_without_a_named_currency_reads_back(cents: int) -> None:
    dollars, _, rest = amount_in_words(cents, UNNAMED).partition(" and ")
    count, name = dollars.rsplit(" ", 1)
    assert 100 * read(count) + int(rest.split()[0].replace("no", "0")) == cents
    assert (name, rest.split()[1]) == (
        "dollar" if cents // 100 == 1 else "dollars",
        "cent" if cents % 100 == 1 else "cents",
    )


@given(st.integers(0, 1000 * MOST - 1))
def test_every_amount_of_a_currency_with_thousandths_reads_back(fils: int) -> None:
    dinars, _, rest = amount_in_words(fils, named_currency("KWD")).partition(" and ")
    count, _, name = dinars.partition(" Kuwaiti ")
    part, of = rest.split("/")
    assert (1000 * read(count) + int(part), of) == (fils, "1000")
    assert name == ("dinar" if fils // 1000 == 1 else "dinars")


@pytest.mark.parametrize(
    ("code", "minor", "text"),
    [
        ("USD", 123_456, "one thousand two hundred thirty-four US dollars and 56/100"),
        ("USD", 100, "one US dollar and 00/100"),
        ("EUR", 905, "nine euros and 05/100"),
        ("JPY", 12_000, "twelve thousand Japanese yen"),
        ("KWD", 5_250, "five Kuwaiti dinars and 250/1000"),
        ("", 123_456, "one thousand two hundred thirty-four dollars and 56 cents"),
        ("", 0, "zero dollars and no cents"),
        ("", 101, "one dollar and 1 cent"),
    ],
)
def test_amounts_are_written_in_the_words_of_their_currency(code: str, minor: int, text: str) -> None:
    assert amount_in_words(minor, named_currency(code)) == text


@pytest.mark.parametrize(("code", "minor"), [("USD", -1), ("USD", 100 * MOST), ("JPY", MOST)])
def test_an_amount_out_of_range_has_no_words(code: str, minor: int) -> None:
    with pytest.raises(ValueError, match=f"{minor} have no words; allowed: 0 to"):
        amount_in_words(minor, named_currency(code))
