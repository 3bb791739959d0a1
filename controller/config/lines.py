"""The lines on which the keys of a TOML document are written.

The scan reads only documents that tomllib has accepted, so it does not look for faults. It splits the text
into tokens, of which a whole string or comment is one: so nothing inside a string can look like a section. A
statement ends with the first line feed outside all brackets; its left side is a section's header or a key.
tomllib reads the left side, with its quotes, escapes and dots.
"""

import re
import tomllib
from collections.abc import Iterator, Mapping
from itertools import accumulate, takewhile
from typing import Final

Location = tuple[str, ...]
"""A key and the sections that it is in, from the top of the document."""

_TOKENS: Final = (
    r'"""(?:\\.|[^\\])*?"{3,5}',  # up to two quotes belong to the text, before the three that end it
    r"'''.*?'{3,5}",
    r'"(?:\\.|[^"\\])*"',
    r"'[^']*'",
    r"#[^\n]*",
    r"[\[\]{}=\n]",
    r"""[^"'#\[\]{}=\n]+""",
)
_TOKEN: Final = re.compile("|".join(_TOKENS), re.DOTALL)
_DEPTH: Final = {"[": 1, "{": 1, "]": -1, "}": -1}


def key_lines(text: str) -> Mapping[Location, int]:
    """The line of each key and section of a valid document, counted from 1: the first line that names it. A
    section that only headers of its own sections name has the line of the first of them. The keys of all
    items of an array of tables count as those of one section; keys within braces have no line."""
    lines: dict[Location, int] = {}
    section: Location = ()
    for line, left in _left_sides(text):
        is_header = left.startswith("[")
        location = _location(left.strip("[] \t")) if is_header else (*section, *_location(left))
        section = location if is_header else section
        for outer in accumulate(((name,) for name in location), tuple.__add__):
            lines.setdefault(outer, line)
    return lines


def _left_sides(text: str) -> Iterator[tuple[int, str]]:
    """The first line of each statement, and what it has before the first equals sign."""
    first = 1
    depth = 0
    statement: list[str] = []
    for piece in _TOKEN.findall(f"{text}\n"):
        depth += _DEPTH.get(piece, 0)
        if not piece.startswith("#"):
            statement.append(piece)
        if piece == "\n" and not depth:
            if left := "".join(takewhile(lambda part: part != "=", statement)).strip():
                yield first, left
            first += "".join(statement).count("\n")
            statement = []


def _location(key: str) -> Location:
    """The names in a key as it is written."""
    names: list[str] = []
    inner: object = tomllib.loads(f"{key} = 0")
    while isinstance(inner, dict):
        [(name, inner)] = inner.items()
        names.append(name)
    return tuple(names)
