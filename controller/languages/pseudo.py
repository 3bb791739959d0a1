"""English that looks foreign, for tests: accents show what is translated, and length what does not fit."""

import re

LONGER = 0.3
"""How much longer the text becomes, as translations from English do."""
OPENING, CLOSING = "[", "]"
_ACCENTS = str.maketrans("ACEINOSUYaceinosuyz", "ÅÇÉÎÑÖŠÛÝåçéîñöšûýž")
_KEPT = re.compile(r"(\{\w*(?::[\w ]+)?\}|%\(\w+\)[sd]|&\w+;|<[^>]*>)")
"""Places and markup, which stay as they are."""


def pseudo_text(text: str) -> str:
    """The text with accents, 30 % longer, in brackets: "Hit" becomes "[Hît~]"."""
    if text.startswith(OPENING):
        return text
    parts = _KEPT.split(text)
    parts[::2] = [part.translate(_ACCENTS) for part in parts[::2]]
    letters = sum(len(part) for part in parts[::2])
    return f"{OPENING}{''.join(parts)}{'~' * round(letters * LONGER)}{CLOSING}"
