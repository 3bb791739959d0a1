"""Which key must have signed a journal, and how two persons confirm a journal that cannot prove itself.

A start compares the last signature with the public key beside the configuration, and requires the head
record. If one of them is wrong, the rows may still be right, but only people can know that. They confirm the
journal as it is, by its last row and the hash of that row. The confirmation is a file beside the
configuration, where the daemon cannot write. It is valid for an hour, and becomes a row of the journal.
"""

import json
import os
import re
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from controller.journal import names
from controller.journal.chain import JournalRow, RowContent, row_of
from controller.journal.errors import JournalDamaged, JournalError, JournalUnconfirmed
from controller.journal.inspection import InspectedFile, open_inspected
from controller.journal.key_change import KeyChange
from controller.journal.schema import SELECT
from controller.journal.signing import CHECKPOINT, signed_by

CONFIRMED = "confirmed"
"""The kind of row that records what two persons confirmed."""
CONFIRMATION_SECONDS = 3600.0
"""Seconds for which a confirmation is valid."""
PUBLIC_MODE = 0o644
CONFIRMATION_MODE = 0o640
_PUBLIC = re.compile(r"[0-9a-f]{64}\n?", re.ASCII | re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Confirmation:
    """`who` and `second` confirm the journal as it is, up to `row` with this hash in hex. `found`: what was
    wrong; `keys`: the foreign keys that signed; `at`: Unix time."""

    row: int
    hash: str
    found: tuple[str, ...]
    keys: tuple[str, ...]
    who: str
    second: str
    why: str
    at: float

    def content(self) -> RowContent:
        """The row that records it."""
        body = asdict(self)
        at = body.pop("at")
        return RowContent(at, CONFIRMED, json.dumps(body, separators=(",", ":")))

    @property
    def sentence(self) -> str:
        return f"{self.who} and {self.second} confirmed the journal up to row {self.row}: {self.why}"


@dataclass(frozen=True, slots=True)
class Trust:
    """`public`: the key that must have signed last; None if there is no public key beside the
    configuration. `change`: a change of the key that waits for this start."""

    public: bytes | None = None
    confirmation: Confirmation | None = None
    change: KeyChange | None = None

    def check(self, whole: Sequence[InspectedFile]) -> None:
        """Raises JournalUnconfirmed if there are doubts about these whole copies of a journal and the
        confirmation does not cover them."""
        longest = max(whole, key=lambda found: found.row)
        found = journal_doubts_of(whole, self.public, self.change)
        if found and not self._covers(longest.last):
            raise JournalUnconfirmed("; ".join(found))

    def records(self, last: JournalRow | None) -> list[KeyChange | Confirmation]:
        """What the journal has to record: the change of the key, and the confirmation. They are recorded
        once: afterwards the last row differs. The change is first, because it names the row before it."""
        change = self.change if applies(self.change, last, self.public) else None
        confirmation = self.confirmation if self._covers(last) else None
        return [each for each in (change, confirmation) if each]

    def _covers(self, last: JournalRow | None) -> bool:
        confirmation = self.confirmation
        return bool(
            confirmation and last and (confirmation.row, confirmation.hash) == (last.row, last.hash.hex())
        )


NO_TRUST = Trust()
"""No public key to compare with, and no confirmation."""


def applies(change: KeyChange | None, last: JournalRow | None, public: bytes | None) -> bool:
    """Whether this is the change to the key `public` after the row `last`."""
    return change is not None and change.follows(last) and public == bytes.fromhex(change.new)


def journal_doubts_of(
    whole: Sequence[InspectedFile], public: bytes | None, change: KeyChange | None = None
) -> tuple[str, ...]:
    """A sentence for each reason why the copies of a journal may not be what was written. `public`: the key
    that must have signed last, unless `change` says that it signs only from now on. Raises JournalDamaged for
    a checkpoint that is not signed."""
    longest = max(whole, key=lambda found: found.row)
    if change and applies(change, longest.last, public):
        public = bytes.fromhex(change.old)
    return (*_cut_off(longest, whole), *_foreign_key(longest, public))


def foreign_keys(whole: Sequence[InspectedFile], public: bytes | None) -> tuple[str, ...]:
    """The key that signed last, in hex, if it is not `public`."""
    signed = _last_signature(max(whole, key=lambda found: found.row))
    return (signed[1].hex(),) if signed and public and signed[1] != public else ()


def read_public(path: Path) -> bytes | None:
    """The key in the file at `path`; None if there is no such file. Raises JournalError."""
    try:
        text = path.read_text("ascii", errors="replace")
    except FileNotFoundError:
        return None
    except OSError as error:
        raise JournalError(f"public key {path} of the journal cannot be read: {error.strerror}") from error
    if not _PUBLIC.fullmatch(text):
        raise JournalError(
            f"public key {path} of the journal holds {len(text)} characters; allowed: 64 hexadecimal digits"
        )
    return bytes.fromhex(text)


def write_public(path: Path, public: bytes) -> None:
    """Write the key so that everyone may read it. Raises OSError."""
    names.write(path, f"{public.hex()}\n".encode(), PUBLIC_MODE)
    path.chmod(PUBLIC_MODE)  # whatever the umask was


def confirmation_path(public: Path) -> Path:
    """The path of the confirmation: beside the public key at `public`."""
    return public.with_suffix(".confirmation")


def write_for_start(path: Path, record: Confirmation | KeyChange, journal: Path) -> None:
    """Store a record for the next start, readable by the journal's user only: while a round is in play, the
    hash of a row would reveal its face-down card to anyone who tries all cards. Raises OSError."""
    names.write(path, (json.dumps(asdict(record), indent=1) + "\n").encode(), names.OWNER_ONLY)
    if os.geteuid() == 0:
        os.chown(path, 0, journal.parent.stat().st_gid)
        path.chmod(CONFIRMATION_MODE)


def read_confirmation(path: Path, now: float) -> Confirmation | None:
    """The confirmation in the file at `path`, if there is one and it is still valid. Raises JournalError."""
    try:
        body: Any = json.loads(path.read_text("utf-8"))
        confirmation = Confirmation(**body)
        confirmation = replace(
            confirmation,
            found=tuple(confirmation.found),
            keys=tuple(confirmation.keys),
            at=float(confirmation.at),
        )
    except FileNotFoundError:
        return None
    except (OSError, ValueError, TypeError, RecursionError) as error:
        raise JournalError(f"confirmation {path} cannot be used: {error}; confirm again") from error
    return confirmation if abs(now - confirmation.at) < CONFIRMATION_SECONDS else None


def _cut_off(longest: InspectedFile, whole: Sequence[InspectedFile]) -> Iterator[str]:
    """One copy with a record is enough: the record shows that this copy has everything that was acknowledged,
    and the longest copy has everything that this one has."""
    if longest.row and all(found.head_missing for found in whole):
        record = names.head(longest.path)
        yield (
            f"journal {longest.path} ends at row {longest.row}, and the record {record} of its last row is "
            "missing or damaged: later rows may have been cut off"
        )


def _foreign_key(longest: InspectedFile, public: bytes | None) -> Iterator[str]:
    signed = _last_signature(longest)
    if public is None:
        return
    ended = max(longest.marked_rows["snapshot"], default=0)
    if ended > (signed[0] if signed else 0):
        yield f"journal {longest.path}: no checkpoint signs row {ended}, though a round ended there"
    elif signed and signed[1] != public:
        row, key = signed
        yield (
            f"journal {longest.path}: its last checkpoint, row {row}, is signed by the key {key.hex()}; "
            f"it must be {public.hex()}"
        )


def _last_signature(found: InspectedFile) -> tuple[int, bytes] | None:
    """The row of the last checkpoint in a file, and the key that signed it."""
    for row in found.marked_rows[CHECKPOINT]:
        with closing(open_inspected(found.path)) as database:
            query = f"{SELECT}WHERE row BETWEEN ? AND ? ORDER BY row"
            entries = list(map(row_of, database.execute(query, (row - 1, row))))
        public = signed_by(entries[-1].content, entries[0]) if len(entries) > 1 else None
        if public is None:
            raise JournalDamaged(
                f"journal {found.path} is damaged: the checkpoint in row {row} is not signed"
            )
        return row, public
    return None
