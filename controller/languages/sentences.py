"""Finished English sentences in the language in use.

The core writes sentences with numbers and names in them. An entry of the catalogue with named places is also
a pattern: "Claim {number} of seat {seat}" fits "Claim 7 of seat 3". The entry with the most letters of its
own counts first. What stood in a place is translated too, unless it is the name of a person or table. A text
that no entry fits is translated by its sentences or by the parts around a colon; what is left stays English.

Amounts of money in a sentence of the core are plain decimals. The extraction names their places: "Jackpot
{amount}, seat {seat}". What stands there is written as pages write it, in the currency in use: "Jackpot
10006.00, seat 1" becomes "Jackpot $10,006, seat 1", in English, too.
"""

import re
from dataclasses import dataclass
from functools import cache, lru_cache

from controller.currency import BadAmount, Currency, currency_in_use
from controller.currency.formatting import money_text
from controller.languages.catalogues import gettext, message_ids
from controller.languages.language import ENGLISH, Language, language_in_use
from controller.languages.places import is_amount, is_name
from controller.languages.prompts import translate_prompt

MOST_CHARACTERS = 600
"""Longer texts are not matched; people write them, not the table."""
MOST_CACHED = 4096
SHORT = 3
"""An entry with fewer letters of its own fits only single words in its places."""
PLACE = re.compile(r"\{(\w*)\}")
_END = re.compile(r"(?<!\b[A-Z])\. ")
"""The end of a sentence, not of an initial."""
_SEPARATORS = ("; ", ": ", ", ")
_WORD, _AMOUNT, _CLAUSE = r"[^\s.,:;]+", r"-?[0-9.]+", r"(?:(?!\. ).)*?"
_PHRASE, _NAME = r"(?:(?![.,] )[^:;])*?", r"[^:;]+?"
"""What fits a place: never more than one sentence."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """An entry with places, as a pattern."""

    template: str
    pattern: re.Pattern[str]


def translate(text: str) -> str:
    """The text in the language in use, with amounts in the currency in use. Text without a translation stays
    English."""
    language, currency = language_in_use(), currency_in_use()
    if not text or (language is ENGLISH and not (currency.code and any(map(str.isdigit, text)))):
        return text
    return _translated(language, currency, text)


def amount_on_page(text: str) -> str:
    """A plain decimal in the currency in use as pages write it: "$10,006" for "10006.00"; any other text as
    it is."""
    currency = currency_in_use()
    digits = text.removeprefix("-")
    try:
        minor = currency.parse(digits)
    except BadAmount:
        return text
    if not currency.code or currency.text(minor) != digits:
        return text
    return money_text(-minor if digits != text else minor, currency)


@lru_cache(MOST_CACHED)
def _translated(_in_use: Language, _money: Currency, text: str) -> str:
    stripped = text.strip()
    if len(text) > MOST_CHARACTERS or not any(map(str.isalpha, stripped)):
        return text
    found = _whole(stripped) or _without_full_stop(stripped) or _parts(stripped)
    return text.replace(stripped, found, 1)


def _whole(text: str) -> str:
    """The translation of a text that is an entry, a prompt or a sentence; else empty. A page may have given
    the text a capital that the entry has not."""
    if found := _entry(text):
        return found
    found = _entry(text[0].lower() + text[1:])
    return found[:1].upper() + found[1:]


def _entry(text: str) -> str:
    if text in _known():
        return gettext(text)
    return translate_prompt(text, translate) or _sentence(text)


def _without_full_stop(text: str) -> str:
    found = _whole(text[:-1]) if text.endswith(".") and len(text) > 1 else ""
    return f"{found}." if found else ""


def _sentence(text: str) -> str:
    for sentence in _sentences():
        if found := sentence.pattern.fullmatch(text):
            values = {name: _value(name, value) for name, value in found.groupdict().items()}
            return gettext(sentence.template).format(**values)
    return ""


def _value(name: str, value: str) -> str:
    if is_amount(name):
        amount = amount_on_page(value)
        return translate(value) if amount == value else amount
    return value if is_name(name) else translate(value)


def _parts(text: str) -> str:
    """The text with those of its parts translated that can be."""
    before, inner, after = text.partition(" (")
    if inner and after.endswith(")"):
        return f"{translate(before)} {_whole(f'({after}') or f'({translate(after[:-1])})'}"
    if end := _END.search(text):
        return f"{translate(text[: end.start() + 1])} {translate(text[end.end() :])}"
    for separator in _SEPARATORS:
        first, found, rest = text.partition(separator)
        if found:
            return translate(first) + _following(separator, rest)
    subject, _, clause = text.partition(" ")
    found = _whole(clause) if clause else ""
    return f"{translate(subject)} {found}" if found else text


def _following(separator: str, text: str) -> str:
    """What follows a separator, with it: as a whole if an entry fits, else part by part. An entry may begin
    with the separator, as ", round {round}" does."""
    first, again, rest = text.partition(separator)
    more = _following(separator, rest) if again else ""
    if found := _whole(f"{separator}{first}"):
        return f"{found}{more}"
    if found := again and _whole(text):
        return f"{separator}{found}"
    return f"{separator}{translate(first)}{more}"


@cache
def _known() -> frozenset[str]:
    return frozenset(message_ids())


@cache
def _sentences() -> tuple[Sentence, ...]:
    """The entries with places, those with the most letters of their own first."""
    templates = [text for text in message_ids() if PLACE.search(text) and "%(" not in text]
    ordered = sorted(templates, key=lambda text: (_letters(text), len(PLACE.sub("", text))), reverse=True)
    return tuple(Sentence(text, _pattern(text)) for text in ordered)


def _letters(template: str) -> int:
    return sum(map(str.isalpha, PLACE.sub("", template)))


def _pattern(template: str) -> re.Pattern[str]:
    """Places of an entry with few letters fit one word each; the last one may be a clause, if a word stands
    before it."""
    literals = PLACE.split(template)
    names, fixed = literals[1::2], literals[::2]
    short = _letters(template) < SHORT
    fits = [_fit(name, short=short) for name in names]
    if short and not fixed[-1] and fixed[0].strip() and not is_name(names[-1]):
        fits[-1] = _CLAUSE
    places = [f"(?P<{name}>{fit})" for name, fit in zip(names, fits, strict=True)]
    parts = zip(map(re.escape, fixed), [*places, ""], strict=True)
    begin = "" if fixed[0] else "(?![,:;] )"  # what begins with a separator is a part of a sentence
    return re.compile(begin + "".join(part + place for part, place in parts), re.DOTALL)


def _fit(place: str, *, short: bool) -> str:
    """What fits a place. Words can stand where an amount should: "not decided yet"."""
    if is_amount(place):
        return rf"{_WORD}|{_AMOUNT}" if short else _PHRASE
    return _NAME if is_name(place) else _WORD if short else _CLAUSE
