"""Languages of pages, prompts, slips and reports.

Theory of operation. The journal, the logs, the devices and the API's records are in English, and so is
every text that the code makes. A text is translated where a person reads it: in a template, with
`{{ _("...") }}` or `{% trans %}` for what stands there, and with the filter `translate` for what comes from
elsewhere. A catalogue in catalogues/ has one entry for each text. `make texts` finds the texts: in the
templates and scripts, and as the strings and f-strings of the modules that babel.cfg names. An f-string is an
entry with named places, such as "Claim {number} of seat {seat}", so the catalogue itself is the table against
which a finished sentence is matched (sentences.py). What no entry fits is shown in English.

The language in use is a context variable, as the currency in use is.
"""

from controller.languages.catalogues import gettext, ngettext, script_texts
from controller.languages.dates import day_text
from controller.languages.language import (
    CHOICES,
    ENGLISH,
    LANGUAGES,
    Language,
    language_in_use,
    preferred_language,
    speaking,
)
from controller.languages.sentences import amount_on_page, translate

__all__ = [
    "CHOICES",
    "ENGLISH",
    "LANGUAGES",
    "Language",
    "amount_on_page",
    "day_text",
    "gettext",
    "language_in_use",
    "ngettext",
    "preferred_language",
    "script_texts",
    "speaking",
    "translate",
]
