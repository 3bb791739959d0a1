"""Finished English sentences in the language in use.

The core writes sentences with numbers and names in them. An entry of the catalogue with named places is also
a pattern: "Claim {number} of seat {seat}" fits "Claim 7 of seat 3". The entry with the most letters of its
own counts first. What stood in a place is translated too, unless it is the name of a person or table. A text
that no entry fits is translated by its sentences or by the parts around a colon; what is left stays English.

Amounts of money in a sentence of the core are plain decimals. A place whose name says that it has an amount
gets it as pages write it, in the currency in use: "Jackpot 10006.00, seat 1" becomes "Jackpot $10,006, seat
1", in English, too.
"""

import re
from dataclasses import dataclass
from functools import cache, lru_cache

from controller.currency import BadAmount, Currency, currency_in_use
from controller.currency.formatting import money_text, with_symbols
from controller.languages.catalogues import gettext, message_ids
from controller.languages.language import ENGLISH, Language, language_in_use
from controller.languages.prompts import translate_prompt

MOST_CHARACTERS = 600
"""Longer texts are not matched; people write them, not the table."""
MOST_CACHED = 4096
SHORT = 3
"""An entry with fewer letters of its own fits only single words in its places."""
NAMES = frozenset(
    {"who", "name", "person", "dealer", "croupier", "supervisor", "payer", "voided_by", "table"}
)
"""Places for names, which nobody translates."""
AMOUNTS = frozenset({"amount", "bet", "buster", "cents", "chip", "stake", "then", "wagered", "worth"})
"""Places for amounts."""
BOUNDS = frozenset({"least", "main", "most", "now", "other"})
"""Places for amounts in sentences that have another amount."""
DECIMALS = frozenset({"after", "before", "least", "limit", "most", "now", "value"})
"""Places for amounts, if what stands there has the decimals of the currency."""
PLACE = re.compile(r"\{(\w*)\}")
_SEPARATORS = ("; ", ": ", ", ")
_WORD, _AMOUNT, _NAME, _CLAUSE = r"[^\s.,:;]+", r"[0-9.]+", r"[^:;]*?", r"(?:(?!\. ).)*?"
"""What fits a place: never more than one sentence."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """An entry with places, as a pattern. `amounts`: the places with amounts of money."""

    template: str
    pattern: re.Pattern[str]
    amounts: frozenset[str]


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
    return with_symbols(text.replace(stripped, found, 1))


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
            values = {name: _value(sentence, name, value) for name, value in found.groupdict().items()}
            return gettext(sentence.template).format(**values)
    return ""


def _value(sentence: Sentence, name: str, value: str) -> str:
    if name in sentence.amounts or (_kind(name) in DECIMALS and "." in value):
        amount = amount_on_page(value)
        return translate(value) if amount == value else amount
    return value if _is_name(name) else translate(value)


def _is_name(place: str) -> bool:
    return _kind(place) in NAMES


def _kind(place: str) -> str:
    return place.rstrip("0123456789")


def _parts(text: str) -> str:
    """The text with those of its parts translated that can be."""
    before, inner, after = text.partition(" (")
    if inner and after.endswith(")"):
        return f"{translate(before)} {_whole(f'({after}') or f'({translate(after[:-1])})'}"
    first, full_stop, rest = text.partition(". ")
    if full_stop:
        return f"{translate(f'{first}.')} {translate(rest)}"
    for separator in _SEPARATORS:
        first, *others = text.split(separator)
        if others:
            return translate(first) + "".join(_appended(separator, part) for part in others)
    subject, _, clause = text.partition(" ")
    found = _whole(clause) if clause else ""
    return f"{translate(subject)} {found}" if found else text


def _appended(separator: str, part: str) -> str:
    """A part with the separator before it, which may be an entry of its own, such as ", round {round}"."""
    return _whole(f"{separator}{part}") or f"{separator}{translate(part)}"


@cache
def _known() -> frozenset[str]:
    return frozenset(message_ids())


@cache
def _sentences() -> tuple[Sentence, ...]:
    """The entries with places, those with the most letters of their own first."""
    templates = [text for text in message_ids() if PLACE.search(text) and "%(" not in text]
    ordered = sorted(templates, key=_letters, reverse=True)
    return tuple(Sentence(text, _pattern(text), _amounts(text)) for text in ordered)


def _amounts(template: str) -> frozenset[str]:
    """The places for amounts; a percentage is none."""
    places = frozenset(PLACE.findall(re.sub(r"\{\w+\}%", "", template)))
    amounts = frozenset(one for one in places if _kind(one) in AMOUNTS)
    return amounts | {one for one in places if _kind(one) in BOUNDS} if amounts else amounts


def _letters(template: str) -> int:
    return sum(map(str.isalpha, PLACE.sub("", template)))


def _pattern(template: str) -> re.Pattern[str]:
    """Places of an entry with few letters fit one word each; the last one may be a clause, if a word stands
    before it."""
    literals = PLACE.split(template)
    names, fixed = literals[1::2], literals[::2]
    short = _letters(template) < SHORT
    fits = [_NAME if _is_name(name) else _WORD if short else _CLAUSE for name in names]
    if short and not fixed[-1] and fixed[0].strip() and not _is_name(names[-1]):
        fits[-1] = _CLAUSE
    if short:
        fits = [
            rf"{fit}|{_AMOUNT}" if _kind(name) in AMOUNTS else fit
            for name, fit in zip(names, fits, strict=True)
        ]
    places = [f"(?P<{name}>{fit})" for name, fit in zip(names, fits, strict=True)]
    parts = zip(map(re.escape, fixed), [*places, ""], strict=True)
    return re.compile("".join(part + place for part, place in parts), re.DOTALL)
