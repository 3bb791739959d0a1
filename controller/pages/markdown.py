"""Pieces of a page, and their places in it."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction

GENERATED = re.compile(
    r"(?<=^<!-- made by `make pages`: )([a-z0-9-]+) -->\n.*?(?=^<!-- end -->$)", re.DOTALL | re.MULTILINE
)

RARE = 6
"""Digits for what may happen once in a million rounds."""

PageSection = Callable[[], str]


class WrongMarks(ValueError):
    """A page that lacks a part, or has one that nothing makes."""


def regenerate(page: str, parts: Mapping[str, PageSection]) -> str:
    """The page with every part between its two marks made anew; raises WrongParts."""
    names = [found[1] for found in GENERATED.finditer(page)]
    if sorted(names) != sorted(parts):
        raise WrongMarks(f"the page has the parts {', '.join(names)}; needed, once each: {', '.join(parts)}")
    return GENERATED.sub(lambda found: f"{found[1]} -->\n{parts[found[1]]()}\n", page)


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table with a line for each row."""
    return "\n".join([_row(head), "|---" * len(head) + "|", *map(_row, rows)])


def block(kind: str, text: str) -> str:
    """Text as it is, `kind` for those who colour it."""
    return f"```{kind}\n{text}\n```"


def paragraphs(parts: Iterable[str]) -> str:
    """One after the other."""
    return "\n\n".join(parts)


def percent(share: Fraction, digits: int = 4) -> str:
    """As "0.9377 %"."""
    return f"{float(share * 100):.{digits}f} %"


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"
