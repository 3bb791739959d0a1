"""Finds names that look the same although their letters differ, such as "Ann Lee" with a Cyrillic A."""

import unicodedata
from collections.abc import Mapping
from typing import Final

LOOKALIKES: Final[Mapping[str, str]] = {
    "A": "\u0391\u0410",
    "B": "\u0392\u0412\ua7b4",
    "C": "\u0421",
    "E": "\u0395\u0415",
    "F": "\u03dc\ua798",
    "G": "\u050c",
    "H": "\u0397\u041d",
    "J": "\u037f\u0408\ua7b2",
    "K": "\u039a\u041a",
    "M": "\u039c\u03fa\u041c",
    "N": "\u039d",
    "O": "\u039f\u041e\u0555",
    "P": "\u03a1\u0420",
    "R": "\u01a6",
    "S": "\u0405\u054f",
    "T": "\u03a4\u0422",
    "U": "\u054d",
    "V": "\u0474",
    "W": "\u051c",
    "X": "\u03a7\u0425\ua7b3",
    "Y": "\u03a5\u0423\u04ae",
    "Z": "\u0396",
    "a": "\u0251\u03b1\u0430",
    "b": "\u0184\u042c",
    "c": "\u0441\u1d04",
    "d": "\u0501",
    "e": "\u0435\u04bd\uab32",
    "f": "\u0584\u1e9d\ua799\uab35",
    "g": "\u018d\u0261\u0581\u1d83",
    "h": "\u04bb\u0570",
    "i": "\u0131\u0269\u026a\u03b9\u0456\u04cf\ua647",
    "j": "\u03f3\u0458",
    "l": "\u0196\u01c0\u0399\u0406\u04c0",
    "n": "\u0578\u057c",
    "o": "\u03bf\u03c3\u043e\u0585\u1d0f\u1d11\uab3d",
    "p": "\u03c1\u0440",
    "q": "\u051b\u0563\u0566",
    "r": "\u0433\u1d26\uab47\uab48",
    "s": "\u01bd\u0455\ua731",
    "u": "\u028b\u03c5\u057d\u1d1c\ua79f\uab4e\uab52",
    "v": "\u03bd\u0475\u1d20",
    "w": "\u026f\u0461\u051d\u0561\u1d21",
    "x": "\u0445",
    "y": "\u0263\u028f\u03b3\u0443\u04af\u1d8c\u1eff\uab5a",
    "z": "\u1d22",
}
"""For each Latin letter, the Latin, Greek, Cyrillic and Armenian letters that look like it: the single
letters in Unicode's list confusables.txt (UTS #39, Unicode Security Mechanisms), version 15."""
ASCII_LOOKALIKES: Final[Mapping[str, str]] = {"0": "O", "1": "l", "I": "l", "|": "l", "m": "rn"}
"""ASCII characters that look like other ASCII characters, from the same list."""
UNSEEN: Final = (0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, *range(0x180B, 0x1810), 0x2800, 0x3164)
UNSEEN_VARIANTS: Final = (*range(0xFE00, 0xFE10), 0xFFA0, *range(0xE0100, 0xE01F0))
"""Letters, marks and symbols that show nothing: those with the property Default_Ignorable_Code_Point, and the
Braille pattern without dots. Format characters, which names cannot contain, are not among them."""
_REPLACEMENTS: Final = str.maketrans(
    {**ASCII_LOOKALIKES, **{sign: letter for letter, signs in LOOKALIKES.items() for sign in signs}}
)
_REMOVALS: Final = dict.fromkeys((*UNSEEN, *UNSEEN_VARIANTS))


def skeleton(name: str) -> str:
    """The skeleton of a name (UTS #39, section 4), without the case of letters. Names that people cannot tell
    apart have the same skeleton; that of a name of which nothing can be seen is empty."""
    seen = unicodedata.normalize("NFKC", name.translate(_REMOVALS))
    looks = seen.translate(_REPLACEMENTS).translate(_REPLACEMENTS)
    return " ".join(looks.casefold().split())
