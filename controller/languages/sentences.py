"""Finished English sentences in the language in use.

The core writes sentences with numbers and names in them. An entry of the catalogue with named places is also
a pattern: "Claim {number} of seat {seat}" fits "Claim 7 of seat 3". The entry with the most letters of its
own counts first. What stood in a place is translated too, unless it is the name of a person or table. A text
that no entry fits is translated by its sentences or by the parts around a colon; what is left stays English.
"""

import re
from dataclasses import dataclass
from functools import cache, lru_cache

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
PLACE = re.compile(r"\{(\w*)\}")
_SEPARATORS = ("; ", ": ", ", ")
_WORD, _NAME, _CLAUSE = r"[^\s.,:;]+", r"[^:;]*?", r"(?:(?!\. ).)*?"
"""What fits a place: never more than one sentence."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """An entry with places, as a pattern."""

    template: str
    pattern: re.Pattern[str]


def translate(text: str) -> str:
    """The text in the language in use. Text without a translation stays English."""
    language = language_in_use()
    if language is ENGLISH or not text:
        return text
    return _translated(language, text)


@lru_cache(MOST_CACHED)
def _translated(_in_use: Language, text: str) -> str:
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
    return value if _is_name(name) else translate(value)


def _is_name(place: str) -> bool:
    return place.rstrip("0123456789") in NAMES


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
    return tuple(Sentence(text, _pattern(text)) for text in ordered)


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
    places = [f"(?P<{name}>{fit})" for name, fit in zip(names, fits, strict=True)]
    parts = zip(map(re.escape, fixed), [*places, ""], strict=True)
    return re.compile("".join(part + place for part, place in parts), re.DOTALL)
