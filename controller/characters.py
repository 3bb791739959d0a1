"""Which characters a text may hold that people type and others read, and when two names are the same."""

import unicodedata
from typing import Final

REFUSED: Final = {"Cc": "control", "Cf": "format", "Zl": "line separator", "Zp": "paragraph separator"}
"""General categories of Unicode whose characters cannot be seen, or change how those around them are shown:
U+202E turns a line around, U+200B makes two names out of one, a line feed makes two lines of a log."""


def refused(text: str) -> str:
    """Why a text is not accepted: "U+202E (RIGHT-TO-LEFT OVERRIDE) is a format character"; empty: it is."""
    for sign in text:
        if kind := REFUSED.get(unicodedata.category(sign)):
            name = unicodedata.name(sign, "")
            named = f"U+{ord(sign):04X}{f' ({name})' if name else ''}"
            return f"{named} is a {kind}{'' if kind.endswith('separator') else ' character'}"
    return ""


def fold(name: str) -> str:
    """A name as it is compared: NFKC and case folding, blanks between words as one, none around them."""
    folded = unicodedata.normalize("NFKC", name).casefold()
    return " ".join(unicodedata.normalize("NFKC", folded).split())


def same(one: str, other: str) -> bool:
    """Whether two names are one person's."""
    return fold(one) == fold(other)
