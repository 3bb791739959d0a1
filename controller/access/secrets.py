"""Rules for new passwords, PINs and badges, and the hashes of badges and tokens."""

import hashlib
import hmac
from itertools import pairwise
from typing import Final

from controller.access.errors import AccessError

LEAST_PASSWORD = 12
MOST_SECRET = 200
LEAST_PIN = 4
MOST_PIN = 8
LEAST_BADGE = 6
"""Characters. A badge of digits alone is longer than any PIN, so that the two can be distinguished."""
COMMON: Final = frozenset(
    {
        "password",
        "passwort",
        "passw0rd",
        "qwerty",
        "qwertz",
        "letmein",
        "welcome",
        "admin",
        "administrator",
        "casino",
        "blackjack",
        "tableside",
        "123456",
        "1234567890",
        "changeme",
        "iloveyou",
        "dragon",
        "monkey",
    }
)
"""A password may contain these words, but not consist of one of them with digits or punctuation around it."""


def check_password(password: str, name: str) -> None:
    """Raises AccessError if the password is too weak. The text does not contain the password."""
    if not LEAST_PASSWORD <= len(password) <= MOST_SECRET:
        raise AccessError(
            f"password of {len(password)} characters: allowed: {LEAST_PASSWORD} to {MOST_SECRET}"
        )
    plain = password.casefold()
    if len(set(plain)) < 5:
        raise AccessError("password: not allowed; allowed: at least five different characters")
    if name.casefold() in plain:
        raise AccessError("password: not allowed; allowed: one without the name in it")
    rest = plain.strip("0123456789!?.-_ ")
    if rest in COMMON or not rest:
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


def token_hash(token: str) -> bytes:
    """The hash of a session's token, which is stored instead of the token."""
    return hashlib.sha256(token.encode()).digest()
