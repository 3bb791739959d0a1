"""HTML templates: every text is escaped, and an undefined name raises an error."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined, pass_context
from jinja2.runtime import Context

from controller.languages.catalogues import gettext, ngettext
from controller.languages.language import CHOICES, language_in_use
from controller.languages.sentences import translate

Filter = Callable[..., Any]


def template_environment(*folders: Path) -> Environment:
    """The environment of the templates in these folders; of two with one name, the first counts. The caller
    adds filters and globals."""
    environment = Environment(
        loader=FileSystemLoader(folders),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        extensions=["jinja2.ext.i18n"],
    )
    environment.install_gettext_callables(gettext, ngettext, newstyle=True)  # type: ignore[attr-defined]
    environment.globals.update(language=language_in_use, languages=CHOICES)
    environment.filters.update(translate=translating(str))
    return environment


def translating(write: Callable[..., str]) -> Filter:
    """A filter whose result is translated. It takes the context, because Jinja computes a filter of a
    constant that does not when it compiles the template, in whatever language is in use then."""

    @pass_context
    def in_language(_context: Context, *values: object) -> str:
        return translate(write(*values))

    return in_language
