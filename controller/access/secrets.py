"""Rules for new passwords, PINs and badges, and the hashes of badges and tokens."""

import hashlib
import hmac
from itertools import pairwise
from pathlib import Path
from typing import Final

from controller.access.errors import AccessError
from controller.text.characters import folded_name

LEAST_PASSWORD = 12
MOST_SECRET = 200
LEAST_PIN = 4
MOST_PIN = 8
LEAST_BADGE = 6
"""Characters. A badge of digits alone is longer than any PIN, so that the two can be distinguished."""
BADGE_SALT = 16
DIGITS_AND_MARKS: Final = "0123456789!?.-_ "
COMMON_PASSWORDS: Final = Path(__file__).with_name("common_passwords.txt")
"""Words of which people make passwords: the most frequent ones in lists of stolen passwords, and words of
this trade. One a line, sorted, in lower case, without digits and punctuation around them. Only the check of
a new password reads this file."""


def check_password(password: str, name: str) -> None:
    """Raises AccessError if the password is too weak. The text does not contain the password."""
    if not LEAST_PASSWORD <= len(password) <= MOST_SECRET:
        raise AccessError(
            f"password of {len(password)} characters: allowed: {LEAST_PASSWORD} to {MOST_SECRET}"
        )
    plain, owner = folded_name(password), folded_name(name)
    if len(set(plain)) < 5:
        raise AccessError("password: not allowed; allowed: at least five different characters")
    if owner in plain or owner.replace(" ", "") in plain:
        raise AccessError("password: not allowed; allowed: one without the name in it")
    if _is_common(plain):
        raise AccessError("password: not allowed; allowed: more than a common word and numbers")


def check_pin(pin: str) -> None:
    """Raises AccessError if this is not a PIN, or one that is easy to guess."""
    if not (pin.isascii() and pin.isdigit() and LEAST_PIN <= len(pin) <= MOST_PIN):
        raise AccessError(f"PIN: not allowed; allowed: {LEAST_PIN} to {MOST_PIN} digits")
    steps = {(int(after) - int(before)) % 10 for before, after in pairwise(pin)}
    if steps in ({0}, {1}, {9}) or pin[: len(pin) // 2] * 2 == pin:
        raise AccessError("PIN: not allowed; allowed: digits that are neither equal, in a row nor repeated")


def check_badge(code: str) -> None:
    """Raises AccessError if this cannot be the code of a badge."""
    if not (code.isascii() and code.isprintable() and LEAST_BADGE <= len(code) <= MOST_SECRET):
        raise AccessError(f"badge: not allowed; allowed: {LEAST_BADGE} to {MOST_SECRET} printable characters")
    if code.isdigit() and len(code) <= MOST_PIN:
        raise AccessError(f"badge: not allowed; allowed: of digits alone, more than the {MOST_PIN} of a PIN")


def badge_hash(key: bytes, code: str) -> bytes:
    """The hash by which a badge is found. Without the key, nobody can precompute the hashes of all codes."""
    return hmac.new(key, code.encode(), hashlib.sha256).digest()


def badge_salt(key: bytes) -> bytes:
    """The salt of the argon2id of all badges of a property. It is the same for all, so that a table finds a
    badge by hashing its code once."""
    return hmac.new(key, b"salt of badges", hashlib.sha256).digest()[:BADGE_SALT]


def token_hash(token: str) -> bytes:
    """The hash of a session's token, which is stored instead of the token."""
    return hashlib.sha256(token.encode()).digest()


def _is_common(password: str) -> bool:
    """Whether this is a common word, once or several times, with digits and punctuation around it; or digits
    and the usual marks only."""
    if not password.strip(DIGITS_AND_MARKS):
        return True
    letters = [place for place, sign in enumerate(password) if sign.isalpha()] or [0]
    word = password[letters[0] : letters[-1] + 1]
    with COMMON_PASSWORDS.open(encoding="ascii") as lines:
        return not {word, _repeated_part(word)}.isdisjoint(line.rstrip("\n") for line in lines)


def _repeated_part(word: str) -> str:
    """The shortest text that makes the word when it is repeated; the word itself if there is none."""
    return word[: (word + word).index(word, 1)]
