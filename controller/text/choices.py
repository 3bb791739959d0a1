"""Names that a person may choose from, and the one that a misspelt name is nearest to."""

from collections.abc import Iterable, Iterator
from difflib import get_close_matches
from types import UnionType
from typing import Final, Literal, Union, get_args, get_origin

_UNIONS: Final = (Union, UnionType)


def nearest(written: object, known: Iterable[str]) -> str | None:
    """The known name that is most like what is written, whatever its case; None if none is like it."""
    if not isinstance(written, str):
        return None
    names = {name.casefold(): name for name in known}
    return next((names[near] for near in get_close_matches(written.casefold(), names, n=1)), None)


def literal_texts(annotation: object) -> Iterator[str]:
    """The texts that a type allows by name, also as a part of a union."""
    parts = get_args(annotation)
    if get_origin(annotation) is Literal:
        yield from (part for part in parts if isinstance(part, str))
    elif get_origin(annotation) in _UNIONS:
        for part in parts:
            yield from literal_texts(part)
