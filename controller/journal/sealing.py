"""Seals a card, so that the journal holds no card that lies face down in the clear.

Theory of operation
-------------------
A table has a secret of its own, the seal key of 32 bytes. The key of one sealed card follows from it:

    card key = HKDF-SHA256(seal key, salt = `after`, info = "tableside card 1", row, round, place)
    box      = ChaCha20-Poly1305(card key, nonce = 0, data = row, card padded with zeros to 32 bytes)

`after` is the hash of the last row on disk before the transaction that writes the card.

- Nobody can try all cards. Whoever has every file of the journal knows everything but the seal key. Without
  it, the box of one card cannot be told from that of another; all boxes have the same length.
- A card key seals one message, so a fixed nonce is safe. A process writes each row number once: after a
  failed write it writes nothing more. The next process first writes the row of its start, whose hash, as
  every later one, depends on its time; and no card is in that transaction. So no two sealed cards have both
  the same `after` and the same row.
- Anybody can check the box later. The row that opens it publishes the card key, which says nothing about the
  seal key or about the key of another card.
- The table cannot change its mind. ChaCha20-Poly1305 alone would let whoever chooses keys make one box that
  two keys open to two cards. The 30 bytes of zeros behind the card prevent that: both keys would have to give
  the same 30 bytes of key stream.

Nothing here is random: the same seal key and the same place give the same box.
"""

import os
import stat
import struct
from dataclasses import dataclass, replace
from pathlib import Path

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from controller.journal.errors import SealUnusable
from drivers.key_files import CREDENTIALS, KeyFault, credential, parse_key, readable_by_others

CREDENTIAL = "journal.seal"
"""The name of the seal key as a credential of systemd."""
CARD_KEY = 32
MESSAGE = 32
"""Bytes of a card with its zeros."""
CARD = 2
"""Bytes of a card."""
_LABEL = b"tableside card 1"
_NONCE = bytes(12)
_PLACE = struct.Struct(">qq")
_ROW = struct.Struct(">q")


class SealBroken(Exception):
    """A key does not open a box, or the box holds no card. The text names neither."""


@dataclass(frozen=True, slots=True)
class SealedCard:
    """A card in its box, with what its key follows from. `after`: 32 bytes; `row`: the row that it is in;
    `place`: where it lay when it was sealed, "face down" or "waiting"."""

    row: int
    round: int
    place: str
    after: bytes
    box: bytes


class SealKey:
    """Seals and opens the cards of one table."""

    def __init__(self, key: bytes) -> None:
        self._key = key

    def seal(self, card: str, row: int, number: int, place: str, after: bytes) -> SealedCard:
        """Seal a card of round `number`. Raises ValueError for anything but two ASCII characters."""
        message = card.encode("ascii")
        if len(message) != CARD:
            raise ValueError(f"a card of {len(message)} bytes: not allowed; allowed: {CARD}")
        empty = SealedCard(row, number, place, after, b"")
        cipher = ChaCha20Poly1305(self.card_key(empty))
        return replace(empty, box=cipher.encrypt(_NONCE, message.ljust(MESSAGE, b"\0"), _ROW.pack(row)))

    def card_key(self, sealed: SealedCard) -> bytes:
        """The key of this card alone."""
        info = _LABEL + _PLACE.pack(sealed.row, sealed.round) + sealed.place.encode()
        return HKDF(SHA256(), CARD_KEY, salt=sealed.after, info=info).derive(self._key)

    def open(self, sealed: SealedCard) -> str:
        """The card. Raises SealBroken if it was sealed with another key, or was changed since."""
        return open_box(sealed, self.card_key(sealed))


def open_box(sealed: SealedCard, key: bytes) -> str:
    """The card in the box. Raises SealBroken if this is not its key."""
    try:
        message = ChaCha20Poly1305(key).decrypt(_NONCE, sealed.box, _ROW.pack(sealed.row))
        card = message[:CARD].decode("ascii")
    except (InvalidTag, ValueError) as error:
        raise SealBroken("the key does not open it") from error
    if message != card.encode().ljust(MESSAGE, b"\0"):
        raise SealBroken("what it holds is not a card")
    return card


def seal_key(path: Path, *, required: bool) -> SealKey | None:
    """The key in systemd's credential journal.seal if there is one, else in the file at `path`; None if there
    is neither and none is required. Raises SealUnusable for a key that is missing, that cannot be read, or
    that others can read."""
    chosen = path
    try:
        chosen = credential(CREDENTIAL) or path
        mode, text = stat.S_IMODE(chosen.stat().st_mode), chosen.read_text("ascii", errors="replace")
    except FileNotFoundError:
        if required:
            raise SealUnusable(f"{_name(path)} is missing: put it back") from None
        return None
    except OSError as error:
        if not required and chosen is path and _is_closed_folder(error):
            return None
        raise SealUnusable(f"{_name(chosen)} cannot be read: {error.strerror}") from error
    if readable_by_others(chosen, mode):
        raise SealUnusable(f"{_name(chosen)} has mode {mode:04o}: others can read it; chmod 600")
    try:
        return SealKey(parse_key(text, _name(chosen)))
    except KeyFault as fault:
        raise SealUnusable(str(fault)) from fault


def _is_closed_folder(error: OSError) -> bool:
    """Whether a service looked into root's folder of keys. systemd has given it each file that is there."""
    return isinstance(error, PermissionError) and CREDENTIALS in os.environ


def _name(path: Path) -> str:
    return f"seal key {path} of the journal"
