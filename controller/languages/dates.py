"""Dates in the language in use."""

from datetime import date

from controller.languages.language import ENGLISH, language_in_use
from controller.languages.pseudo import pseudo_text

DAY = "EEE d MMM y"
"""In the notation of Unicode's CLDR."""


def day_text(day: date) -> str:
    """ "Fri 20 Nov 2026", "vie 20 nov 2026"."""
    language = language_in_use()
    if language is ENGLISH:
        return f"{day:%a %-d %b %Y}"
    from babel.dates import format_date

    written = format_date(day, DAY, locale=language.locale)
    return pseudo_text(written) if language.pseudo else written
