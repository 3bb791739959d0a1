"""Amounts in words, for slips, in the language in use."""

from collections.abc import Callable, Mapping
from typing import Final

from controller.currency import Currency
from controller.languages import ENGLISH, language_in_use
from controller.languages.pseudo import pseudo_text
from controller.past.slips import english_words, spanish_words

MOST: Final = 10**15
"""Amounts must be smaller, in whole units."""
WRITERS: Final[Mapping[str, Callable[[int, Currency], str]]] = {
    "en": english_words.amount,
    "es": spanish_words.amount,
}
"""By the code of each language that a person may choose."""


def amount_in_words(minor: int, currency: Currency) -> str:
    """ "one thousand two hundred thirty-four US dollars and 56/100". Raises ValueError for less than 0
    and for a quadrillion of units."""
    if not 0 <= minor < MOST * currency.unit:
        raise ValueError(f"{minor} have no words; allowed: 0 to {MOST * currency.unit - 1}")
    language = language_in_use()
    if language.pseudo:
        return pseudo_text(WRITERS[ENGLISH.code](minor, currency))
    return WRITERS[language.code](minor, currency)
