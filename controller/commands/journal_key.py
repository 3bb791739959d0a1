"""What `tableside device provision journal` and `provision seal` do: make or change the journal's keys."""

import os
import time
from dataclasses import dataclass
from pathlib import Path

from controller.commands.credentials import decrypt, encrypt
from controller.config import JournalSection
from controller.journal.errors import JournalBusy
from controller.journal.inspection import whole_copies
from controller.journal.key_change import KeyChange, key_change_path, read_key_change
from controller.journal.lock import locked
from controller.journal.signing import Signer
from controller.journal.trust import read_public, write_for_start, write_public
from drivers.key_files import KeyFault, make_key, read_key, store_key

JOURNAL = "journal"
"""The argument that stands for the journal's key instead of a device's."""
SEAL = "seal"
"""The argument that stands for the key that seals cards, and the suffix of its credential."""


@dataclass(frozen=True, slots=True)
class KeyOrder:
    """What the operator asked for: the file of a `given` key, the file of an `encrypted` credential, and
    whether to `replace` a key."""

    given: Path | None
    encrypted: Path | None
    replace: bool


@dataclass(frozen=True, slots=True)
class JournalKey:
    """The key of the journal, in the file `key`; its public half, in hex and in the file `public_file`; the
    key that seals cards, in the file `seal`.
    `changed_after`: the row after which it takes the place of the key before, if the next start writes
    that."""

    device: str
    key: str
    public: str
    public_file: str
    seal: str
    changed_after: int | None

    def text(self) -> str:
        row = self.changed_after
        change = f"\nThe key changes after row {row}. The next start writes that into the journal."
        return (
            f"key of the journal: {self.key}\npublic key: {self.public}, in {self.public_file}\n"
            f"key that seals cards: {self.seal}"
            f"{change if row else ''}"
        )


@dataclass(frozen=True, slots=True)
class CardKey:
    """The key that seals cards, in the file `seal`. `new`: it was made now."""

    device: str
    seal: str
    new: bool

    def text(self) -> str:
        if not self.new:
            return f"key that seals cards: {self.seal}, as before"
        return (
            f"key that seals cards: {self.seal}, new\n"
            "The service uses it from its next start on. Keep a copy where no copy of the journal is."
        )


def provision_seal(section: JournalSection, order: KeyOrder) -> CardKey:
    """Make the key that seals cards if there is none.

    Raises KeyFault or OSError if it cannot be written, or if another one is asked for.
    """
    if order.given or order.replace:
        raise KeyFault("a key that seals cards is never exchanged, because a card may be sealed with it")
    path, new = _provision_seal(section, order)
    return CardKey(SEAL, str(path), new)


def provision_journal(section: JournalSection, order: KeyOrder) -> JournalKey:
    """Store the journal's key and its public half: the key that is there, or a new one. With `replace`, a key
    that is there is changed; both keys sign that. A key that seals cards is made if there is none.

    Raises KeyFault, JournalError or OSError if a key cannot be used or written.
    """
    path, public = Path(section.key), Path(section.public)
    held, known = _held(path, order), read_public(public)
    key = _chosen(held, known, order)
    ours, changed_after = Signer(key).public, None
    if held and held != key and known in {None, Signer(held).public}:
        changed_after = _change(section, Signer(held), key, order)
    else:
        if known not in {None, ours} and not order.replace:
            raise KeyFault(
                f"{public} holds another key: --replace exchanges it, and two supervisors must then confirm "
                "the journal"
            )
        if key != held or order.encrypted:
            _store(key, path, order)
        write_public(public, ours)
    seal, _ = _provision_seal(section, order)
    return JournalKey(
        JOURNAL, str(order.encrypted or path), ours.hex(), str(public), str(seal), changed_after
    )


def _provision_seal(section: JournalSection, order: KeyOrder) -> tuple[Path, bool]:
    """The file of the key that seals cards, and whether it is new. A key that is there always stays: cards
    may be sealed with it."""
    path = order.encrypted.with_suffix(f".{SEAL}") if order.encrypted else section.seal_path
    new = not path.exists()
    if new and order.encrypted:
        encrypt(JOURNAL, make_key(), path, replace=False, suffix=SEAL)
    elif new:
        store_for_service(make_key(), path, replace=False)
    return path, new


def _held(path: Path, order: KeyOrder) -> bytes | None:
    """The key that the table has now."""
    if path.exists():
        return read_key(path)
    if order.replace and order.encrypted and order.encrypted.exists():
        return decrypt(JOURNAL, order.encrypted)
    return None


def _chosen(held: bytes | None, known: bytes | None, order: KeyOrder) -> bytes:
    if order.given:
        return read_key(order.given)
    if held is None or (order.replace and Signer(held).public == known):
        return make_key()
    return held


def _change(section: JournalSection, old: Signer, key: bytes, order: KeyOrder) -> int | None:
    """Exchange the key after the row that is returned; None without a journal.

    After a power cut in between, either the old key goes on, or the public key is another one, which stops a
    start and makes `provision journal --replace` write the right one.
    """
    if not order.replace:
        raise KeyFault(f"{section.key} already has a key: --replace changes it, and both keys sign that")
    try:
        with locked(Path(section.path)):
            row = _sign_change(section, old, Signer(key))
            write_public(Path(section.public), Signer(key).public)
            _store(key, Path(section.key), order)
            return row
    except JournalBusy as error:
        raise JournalBusy(f"{error}: stop the service, change the key, then start it") from error


def _sign_change(section: JournalSection, old: Signer, new: Signer) -> int | None:
    """Store the signed change for the next start, and return the row that it is for. A journal without rows
    needs none."""
    copies = whole_copies(Path(path) for path in (section.path, section.mirror) if path)
    last = max(copies, key=lambda copy: copy.row).last if copies else None
    if last is None:
        return None
    place = key_change_path(Path(section.public))
    waiting = read_key_change(place)
    if waiting and waiting.follows(last) and waiting.new == old.public.hex():
        raise KeyFault(f"{place} has a change that no start has written into the journal: start the service")
    change = KeyChange.signed(last, old, new, at=round(time.time(), 3))
    write_for_start(place, change, Path(section.path))
    return last.row


def _store(key: bytes, path: Path, order: KeyOrder) -> None:
    if order.encrypted:
        encrypt(JOURNAL, key, order.encrypted, replace=order.replace)
        return
    store_for_service(key, path, replace=order.replace)


def store_for_service(key: bytes, path: Path, *, replace: bool) -> None:
    """Store a key so that the service can read it. Raises KeyFault or OSError."""
    store_key(key, path, replace=replace)
    if os.geteuid() == 0:  # the service reads it as the owner of the folder
        folder = path.parent.stat()
        os.chown(path, folder.st_uid, folder.st_gid)
