"""Changes of the key that signs the journal: rows that the old and the new key both sign.

`tableside device provision` has both keys and may not write to the journal; the daemon writes to the journal
and has one key. So the command stores the signed change as a file beside the configuration, and the next
start makes a row of it. The change names the row and the hash after which the old key signs no more. Whoever
has only one of the keys can neither make a change nor move one.
"""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Self

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from controller.journal.chain import ChainPlace, JournalRow, RowContent
from controller.journal.errors import JournalError
from controller.journal.signing import Signer

KEY_CHANGED = "key changed"
"""The kind of these rows."""
BAD_RECORD = (KeyError, TypeError, ValueError, AttributeError, RecursionError, InvalidSignature)


@dataclass(frozen=True, slots=True)
class KeyChange:
    """The key `old` signs up to `row`, which has this `hash`; `new` signs from then on. Both signed that:
    `old_signature`, `new_signature`. All but `row` and `at`, in seconds of Unix time, is in hex."""

    row: int
    hash: str
    old: str
    new: str
    old_signature: str
    new_signature: str
    at: float

    @classmethod
    def signed(cls, last: JournalRow, old: Signer, new: Signer, at: float) -> Self:
        """The change after the row `last`."""
        keys = old.public.hex(), new.public.hex()
        statement = _statement(last.row, last.hash.hex(), *keys)
        return cls(last.row, last.hash.hex(), *keys, old.sign(statement).hex(), new.sign(statement).hex(), at)

    @classmethod
    def parse(cls, fields: Mapping[str, Any]) -> Self:
        """A change that both keys signed. Raises one of BAD_RECORD."""
        change = cls(**fields)
        statement = _statement(change.row, change.hash, change.old, change.new)
        for key, signature in ((change.old, change.old_signature), (change.new, change.new_signature)):
            Ed25519PublicKey.from_public_bytes(bytes.fromhex(key)).verify(bytes.fromhex(signature), statement)
        return change

    @classmethod
    def of_row(cls, row: RowContent, before: ChainPlace) -> Self | None:
        """The change in a row that follows the row `before`; None if it is not signed by both keys, or for
        another place."""
        try:
            change = cls.parse({**json.loads(row.body), "at": row.at})
        except BAD_RECORD:
            return None
        return change if change.follows(before) else None

    def follows(self, last: ChainPlace | None) -> bool:
        """Whether it is the change after this row."""
        return last is not None and (self.row, self.hash) == (last.row, last.hash.hex())

    def content(self) -> RowContent:
        """The row that records it."""
        body = asdict(self)
        at = body.pop("at")
        return RowContent(at, KEY_CHANGED, json.dumps(body, separators=(",", ":")))

    @property
    def sentence(self) -> str:
        return f"After row {self.row} the key {self.new} signs the journal, as the key {self.old} did before"


def key_change_path(public: Path) -> Path:
    """The path of a change that waits for a start: beside the public key at `public`."""
    return public.with_suffix(".key-change")


def read_key_change(path: Path) -> KeyChange | None:
    """The change in the file at `path`; None if there is none. Raises JournalError."""
    try:
        return KeyChange.parse(json.loads(path.read_text("utf-8")))
    except FileNotFoundError:
        return None
    except (OSError, *BAD_RECORD) as error:
        raise JournalError(
            f"change {path} of the journal's key cannot be used: {str(error) or 'a signature is wrong'}"
        ) from error


def _statement(row: int, digest: str, old: str, new: str) -> bytes:
    return f"tableside key change 1 {row} {digest} {old} {new}".encode("ascii")
