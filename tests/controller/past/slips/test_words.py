"""Amounts in words, read back by independent code."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.past.slips.words import MOST, amount_in_words, figures, number

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


@given(st.integers(0, MOST // 100 - 1))
def test_every_number_reads_back(value: int) -> None:
    assert read(number(value)) == value


@given(st.integers(0, MOST - 1))
def test_every_amount_reads_back(cents: int) -> None:
    dollars, _, rest = amount_in_words(cents).partition(" and ")
    count, name = dollars.rsplit(" ", 1)
    assert 100 * read(count) + int(rest.split()[0].replace("no", "0")) == cents
    assert (name, rest.split()[1]) == (
        "dollar" if cents // 100 == 1 else "dollars",
        "cent" if cents % 100 == 1 else "cents",
    )
    assert figures(cents).replace(",", "").replace(".", "").lstrip("0") == str(cents or "").lstrip("0")


@pytest.mark.parametrize(
    ("cents", "text", "shown"),
    [
        (123_456, "one thousand two hundred thirty-four dollars and 56 cents", "1,234.56"),
        (0, "zero dollars and no cents", "0.00"),
        (101, "one dollar and 1 cent", "1.01"),
        (1_000_015, "ten thousand dollars and 15 cents", "10,000.15"),
        (2_100_000_00, "two million one hundred thousand dollars and no cents", "2,100,000.00"),
        (9_05, "nine dollars and 5 cents", "9.05"),
    ],
)
def test_amounts_are_written_in_words_and_figures(cents: int, text: str, shown: str) -> None:
    assert (amount_in_words(cents), figures(cents)) == (text, shown)


@pytest.mark.parametrize("cents", [-1, MOST])
def test_an_amount_out_of_range_has_no_words(cents: int) -> None:
    with pytest.raises(ValueError, match=f"{cents} cents have no words; allowed: 0 to"):
        amount_in_words(cents)
