"""Markdown, and the marks around the generated sections of a page."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction

GENERATED = re.compile(
    r"(?<=^<!-- made by `make pages`: )([a-z0-9-]+) -->\n.*?(?=^<!-- end -->$)", re.DOTALL | re.MULTILINE
)

RARE = 6
"""Digits of a probability that may be one in a million."""

PageSection = Callable[[], str]


class WrongMarks(ValueError):
    """A page lacks the marks of a section, or has marks that no section belongs to."""


def regenerate(page: str, parts: Mapping[str, PageSection]) -> str:
    """The page with the current text between each pair of marks; raises WrongMarks."""
    names = [found[1] for found in GENERATED.finditer(page)]
    if sorted(names) != sorted(parts):
        raise WrongMarks(f"the page has the parts {', '.join(names)}; needed, once each: {', '.join(parts)}")
    return GENERATED.sub(lambda found: f"{found[1]} -->\n{parts[found[1]]()}\n", page)


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    return "\n".join([_row(head), "|---" * len(head) + "|", *map(_row, rows)])


def block(kind: str, text: str) -> str:
    """A fenced block; `kind` is the language for highlighting."""
    return f"```{kind}\n{text}\n```"


def paragraphs(parts: Iterable[str]) -> str:
    return "\n\n".join(parts)


def percent(share: Fraction, digits: int = 4) -> str:
    """As "0.9377 %"."""
    return f"{float(share * 100):.{digits}f} %"


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"
