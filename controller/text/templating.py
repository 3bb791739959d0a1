"""HTML templates: every text is escaped, and an undefined name raises an error."""

from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined


def template_environment(folder: Path) -> Environment:
    """The environment of the templates in `folder`. The caller adds filters and globals."""
    return Environment(
        loader=FileSystemLoader(folder),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
