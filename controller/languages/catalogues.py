"""The translations of texts, from the catalogues of gettext.

A catalogue is read from its .po file when somebody first uses the language; so nothing has to be compiled,
and a process in which everybody reads English does not load Babel for it.
"""

import gettext as standard
import io
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from controller.languages.language import ENGLISH, Language, language_in_use
from controller.languages.pseudo import pseudo_text

CATALOGUES = Path(__file__).parent / "catalogues"


def gettext(text: str) -> str:
    """The text in the language in use, of a plural the singular; itself if the catalogue does not have it."""
    language = language_in_use()
    if language is ENGLISH:
        return text
    if language.pseudo:
        return pseudo_text(text)
    found = translations(language.code)
    return found.ngettext(text, text, 1) if (whole := found.gettext(text)) == text else whole


def ngettext(singular: str, plural: str, number: int) -> str:
    """The form for the number, in the language in use."""
    language = language_in_use()
    if language is ENGLISH:
        return singular if number == 1 else plural
    if language.pseudo:
        return pseudo_text(singular if number == 1 else plural)
    return translations(language.code).ngettext(singular, plural, number)


@cache
def translations(code: str) -> standard.GNUTranslations:
    """The catalogue of the language with this code."""
    from babel.messages.mofile import write_mo
    from babel.messages.pofile import read_po

    compiled = io.BytesIO()
    with (CATALOGUES / f"{code}.po").open("rb") as file:
        write_mo(compiled, read_po(file, locale=code))
    compiled.seek(0)
    return standard.GNUTranslations(compiled)


def script_texts(language: Language) -> Mapping[str, str]:
    """The texts of the pages' scripts, by their English."""
    return {} if language is ENGLISH else _script_texts(language)


def message_ids() -> tuple[str, ...]:
    """Every text that has an entry, in English; of a plural the singular."""
    return tuple(_locations())


@cache
def _script_texts(language: Language) -> dict[str, str]:
    texts = [text for text, files in _locations().items() if any(file.endswith(".js") for file in files)]
    if language.pseudo:
        return {text: pseudo_text(text) for text in texts}
    return {text: translations(language.code).gettext(text) for text in texts}


@cache
def _locations() -> dict[str, tuple[str, ...]]:
    """By text, the files in which it stands."""
    from babel.messages.pofile import read_po

    with (CATALOGUES / "es.po").open("rb") as file:
        catalogue = read_po(file, locale="es")
    return {
        message.id if isinstance(message.id, str) else message.id[0]: tuple(
            file for file, _ in message.locations
        )
        for message in catalogue
        if message.id
    }
