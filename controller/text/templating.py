"""HTML templates: every text is escaped, and an undefined name raises an error."""

from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined


def template_environment(*folders: Path) -> Environment:
    """The environment of the templates in these folders; of two with one name, the first counts. The caller
    adds filters and globals."""
    return Environment(
        loader=FileSystemLoader(folders),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
