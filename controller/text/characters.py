"""The characters that are allowed in texts that one person types and others read, and the comparison of
names."""

import unicodedata
from typing import Final

REFUSED_CATEGORIES: Final = {
    "Cc": "control",
    "Cf": "format",
    "Zl": "line separator",
    "Zp": "paragraph separator",
}
"""General categories of Unicode whose characters are invisible, or change how the characters around them are
shown: U+202E reverses a line, U+200B makes two names out of one, a line feed makes two lines of a log."""


def character_fault(text: str) -> str:
    """Why a text is not allowed, such as "U+202E (RIGHT-TO-LEFT OVERRIDE) is a format character"; empty if it
    is allowed."""
    for sign in text:
        if kind := REFUSED_CATEGORIES.get(unicodedata.category(sign)):
            name = unicodedata.name(sign, "")
            named = f"U+{ord(sign):04X}{f' ({name})' if name else ''}"
            return f"{named} is a {kind}{'' if kind.endswith('separator') else ' character'}"
    return ""


def visible_text(text: str) -> str:
    """The text with a replacement character for each character that is not allowed, for records of what
    strangers send."""
    return "".join("\N{REPLACEMENT CHARACTER}" if character_fault(sign) else sign for sign in text)


def folded_name(name: str) -> str:
    """The form in which names are compared: NFKC and case folding, single blanks between words."""
    folded = unicodedata.normalize("NFKC", name).casefold()
    return " ".join(unicodedata.normalize("NFKC", folded).split())


def same_name(one: str, other: str) -> bool:
    """Whether two names belong to one person."""
    return folded_name(one) == folded_name(other)


def is_part(part: str, text: str) -> bool:
    """Whether a text contains another one, compared as names are: so do people search for names and words."""
    return folded_name(part) in folded_name(text)
