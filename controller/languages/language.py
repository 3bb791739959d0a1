"""The languages, the one in use, and the one that a request asks for."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Final, Literal


@dataclass(frozen=True, slots=True)
class Language:
    """`code`: the language tag of BCP 47; `name`: in the language itself; `locale`: how Unicode's CLDR names
    it, for numbers and dates. `pseudo`: English made longer, with accents and brackets, for tests."""

    code: str
    name: str
    locale: str
    direction: Literal["ltr", "rtl"] = "ltr"
    pseudo: bool = False


ENGLISH: Final = Language("en", "English", "en_US")
LANGUAGES: Final[Mapping[str, Language]] = {
    language.code: language
    for language in (
        ENGLISH,
        Language("es", "Español", "es_419"),
        Language("en-XA", "[Ƥşḗŭḓǿ]", "en_US", pseudo=True),
        Language("ar-XB", "[Ƥşḗŭḓǿ, right to left]", "en_US", "rtl", pseudo=True),
    )
}
"""By code. The codes of pseudo-languages are those that Chromium and Android use."""
CHOICES: Final = tuple(language for language in LANGUAGES.values() if not language.pseudo)
"""The languages that a person may choose."""

_IN_USE: ContextVar[Language] = ContextVar("language in use", default=ENGLISH)


def language_in_use() -> Language:
    return _IN_USE.get()


@contextmanager
def speaking(language: Language) -> Iterator[None]:
    """Texts are translated into this language while the context lasts."""
    before = _IN_USE.set(language)
    try:
        yield
    finally:
        _IN_USE.reset(before)


def preferred_language(chosen: str, accepted: str) -> Language:
    """The language that the person chose, by its code; else the best one of the header Accept-Language
    (RFC 9110, section 12.5.4), where "es-MX" also asks for "es"; else English."""
    if chosen in LANGUAGES:
        return LANGUAGES[chosen]
    by_code = {language.code: language for language in CHOICES}
    for tag in _tags(accepted):
        if found := by_code.get(tag.partition("-")[0]):
            return found
    return ENGLISH


def _tags(accepted: str) -> list[str]:
    """The tags of the header, the most wanted first, without those that are not acceptable."""
    weighted = []
    for place, one in enumerate(accepted.lower().split(",")):
        tag, _, weight = one.partition(";")
        wanted = _weight(weight)
        if wanted > 0:
            weighted.append((-wanted, place, tag.strip()))
    return [tag for _, _, tag in sorted(weighted)]


def _weight(parameter: str) -> float:
    """1 for "", 0.5 for "q=0.5", and 0 for what is not a weight."""
    name, _, value = parameter.strip().partition("=")
    try:
        return float(value) if name == "q" else float(not name)
    except ValueError:
        return 0
