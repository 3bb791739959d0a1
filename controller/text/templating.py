"""HTML from templates: every text is escaped, and a name that nobody gave is a fault of ours."""

from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined


def template_environment(folder: Path) -> Environment:
    """The templates in `folder`, without filters and globals of their own."""
    return Environment(
        loader=FileSystemLoader(folder),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
