"""Checkpoints: rows in which the daemon signs the chain up to the row before.

The chain shows that the rows belong together. A checkpoint shows who wrote them: without the key, nobody can
compute another journal with a valid chain.
"""

import json
import os
import stat
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import structlog
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from controller.journal import names
from controller.journal.chain import ChainPlace, JournalRow, RowContent
from controller.journal.errors import ForeignKey, KeyUnusable
from drivers.key_files import KeyFault, credential, key_text, make_key, parse_key, readable_by_others

CHECKPOINT = "checkpoint"
"""The kind of these rows."""
CREDENTIAL = "journal.key"
"""The name of the key as a credential of systemd."""


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """A table's signature over the chain up to a row. `at`: when it was made, in seconds of Unix time."""

    row: int
    hash: bytes
    public: bytes
    signature: bytes
    at: float


class Signer:
    """Signs with Ed25519. `public`: the 32 bytes with which anybody can check a signature."""

    def __init__(self, key: bytes) -> None:
        self._private = Ed25519PrivateKey.from_private_bytes(key)
        self.public = self._private.public_key().public_bytes_raw()

    def sign(self, message: bytes) -> bytes:
        """The signature, 64 bytes."""
        return self._private.sign(message)


def signer(path: Path, public: bytes | None = None) -> Signer:
    """The signer with systemd's credential journal.key if there is one, else with the key file at `path`. If
    no `public` key is known, a missing file is created, and this is logged. Raises KeyUnusable for a key that
    cannot be used or stored, ForeignKey for a key whose public half is not `public`."""
    try:
        chosen = credential(CREDENTIAL) or path
        exists = chosen.exists()
    except OSError as error:
        raise KeyUnusable(f"key {path} of the journal cannot be read: {error.strerror}") from error
    if public and not exists:
        raise ForeignKey(f"key {path} of the journal is gone; the table's public key is {public.hex()}")
    found = Signer(_read(chosen) if exists else _create_key(chosen))
    if public and found.public != public:
        raise ForeignKey(
            f"key {chosen} of the journal has the public key {found.public.hex()}; it must be {public.hex()}"
        )
    return found


def checkpoint(by: Signer, at: float, head: JournalRow) -> RowContent:
    """The row that signs everything up to `head`; it must be the next row."""
    body = {
        "row": head.row,
        "hash": head.hash.hex(),
        "public": by.public.hex(),
        "signature": by.sign(_statement(head)).hex(),
    }
    return RowContent(at, CHECKPOINT, json.dumps(body, separators=(",", ":")))


def read_checkpoint(row: RowContent, before: ChainPlace) -> Checkpoint | None:
    """The checkpoint in a row; None if it does not sign the row before it."""
    try:
        body: Any = json.loads(row.body)
        if (body["row"], body["hash"]) != (before.row, before.hash.hex()):
            return None
        public = bytes.fromhex(body["public"])
        signature = bytes.fromhex(body["signature"])
        Ed25519PublicKey.from_public_bytes(public).verify(signature, _statement(before))
    except (KeyError, TypeError, ValueError, RecursionError, InvalidSignature):
        return None
    return Checkpoint(before.row, before.hash, public, signature, row.at)


def signed_by(row: RowContent, before: ChainPlace) -> bytes | None:
    """The public key with which a checkpoint signs the row before it; None if the signature is wrong."""
    found = read_checkpoint(row, before)
    return found.public if found else None


def _statement(head: ChainPlace) -> bytes:
    return f"tableside checkpoint 1 {head.row} {head.hash.hex()}".encode("ascii")


def _read(path: Path) -> bytes:
    try:
        with path.open(encoding="ascii", errors="replace") as file:
            mode = stat.S_IMODE(os.fstat(file.fileno()).st_mode)
            text = file.read()
    except OSError as error:
        raise KeyUnusable(f"key {path} of the journal cannot be read: {error.strerror}") from error
    if readable_by_others(path, mode):
        raise KeyUnusable(
            f"key {path} of the journal has mode {mode:04o}: others can read it; chmod 600, or move it away: "
            "the next start makes another"
        )
    try:
        return parse_key(text, f"key {path} of the journal")
    except KeyFault as fault:
        raise KeyUnusable(str(fault)) from fault


def _create_key(path: Path) -> bytes:
    """A new key, stored on disk; if another process was quicker, the key that it stored."""
    key = make_key()
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        _link_whole(path, key_text(key).encode("ascii"))
    except OSError as error:
        if path.exists():
            return _read(path)
        raise KeyUnusable(f"key {path} of the journal cannot be kept: {error.strerror}") from error
    structlog.get_logger("tableside.journal").info(
        "journal key made", path=str(path), public=Signer(key).public.hex()
    )
    return key


def _link_whole(path: Path, content: bytes) -> None:
    """Write a whole file under this name; never replace one."""
    file, fresh = tempfile.mkstemp(dir=path.parent, prefix=f"{path.name}.")
    try:
        os.write(file, content)
        os.fsync(file)
        os.link(fresh, path)
    finally:
        os.close(file)
        Path(fresh).unlink()
    names.sync(path.parent)
