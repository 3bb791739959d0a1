"""Checks the record of the last row, beside the journal: without it, rows could be cut off unnoticed.

Checks who signed a journal: one key, the right one if it is known, or one that two persons confirmed.

What whoever asks knows from elsewhere: who must have signed, hashes that were noted, where a copy is.
"""

from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from controller.journal import head, names
from controller.journal.errors import JournalError
from controller.journal.head import Mark
from controller.journal.history import connection
from controller.journal.schema import SCHEMA, check
from controller.past.verify.findings import Findings
from controller.past.verify.parts import File, hash_of
from controller.past.verify.row_checks import Confirmed
from controller.past.verify.summary import Summary

CONFIRM = (
    "Compare the last rounds with slips and reports; a start of the table asks two supervisors to confirm "
    "the journal (tableside confirm)"
)


def record_of(path: Path) -> Mark | None:
    """Read the record before the rows, because a daemon writes it after them. Raises JournalError."""
    try:
        return head.read(names.head(path))
    except OSError as error:
        raise JournalError(f"record {names.head(path)} cannot be read: {error.strerror}") from error


def recorded(path: Path, found: Sequence[File], mark: Mark | None) -> Findings:
    """Whether the journal has the row that its record names. A file of the first schema has no record."""
    findings = Findings(str(path))
    if not found or found[-1].closed or _old(path):
        return findings
    last = found[-1].last
    if mark is None:
        record = f"the record {names.head(path)} of its last row is missing or damaged"
        findings.add("damage", 0, f"{record}: rows behind row {last} may have been cut off. {CONFIRM}")
    elif mark.row > last:
        findings.add("damage", last + 1, f"rows {last + 1} to {mark.row} are gone. {CONFIRM}")
    elif mark.row >= found[0].first and _hash(found, mark.row) != mark.hash:
        findings.add("damage", mark.row, f"it is not the row that was written. {CONFIRM}")
    return findings


def _old(path: Path) -> bool:
    try:
        with closing(connection(path)) as database:
            return check(path, database) < SCHEMA
    except (JournalError, OSError):
        return False


def _hash(found: Sequence[File], row: int) -> bytes | None:
    try:
        return next((hash_of(file, row) for file in found if file.first <= row <= file.last), None)
    except JournalError:
        return None


def signed(path: Path, told: Summary, public: bytes | None) -> Findings:
    """What is wrong with the keys that signed; `public` is the key that must have signed, None if it is
    unknown."""
    findings = Findings(str(path))
    if public and public.hex() not in told.keys:
        findings.add("checkpoint", 0, f"no row is signed by {public.hex()}")
    ours = _ours(told, public)
    if told.keys and told.snapshot > told.signed:
        findings.add("checkpoint", told.snapshot, "no checkpoint signs it, though a round ended there")
    for key, by in told.keys.items():
        if key == ours or _confirmed(told, key, ours):
            continue
        what = f"it is the first of {by.count} signed by {key}; it should be by {ours}"
        if public is None:
            what += ", which signed last: one key signs a journal"
        findings.add("checkpoint", by.row, what)
    return findings


def confirmations(told: Summary, public: bytes | None) -> Iterator[Confirmed]:
    """The confirmations of two persons, in rows that the right key has signed since."""
    ours = told.keys.get(_ours(told, public))
    return (each for each in told.confirmed if ours and ours.last > each.row)


def _ours(told: Summary, public: bytes | None) -> str:
    """The key that must have signed; if it is unknown, the one that signed last."""
    if public:
        return public.hex()
    return max(told.keys, key=lambda key: told.keys[key].last, default="")


def _confirmed(told: Summary, key: str, ours: str) -> bool:
    last = told.keys[key].last
    return any(key in each.keys and last <= each.up_to for each in confirmations(told, bytes.fromhex(ours)))


@dataclass(frozen=True, slots=True)
class Asked:
    """`public`: the key that must have signed; `expected`: hashes by row, noted elsewhere; `mirror`: where
    the same rows must be; `by_rules`: settle each round once more; `processes`: at most so many.
    """

    public: bytes | None = None
    expected: tuple[tuple[int, bytes], ...] = ()
    mirror: Path | None = None
    by_rules: bool = True
    processes: int = 1


def met(path: Path, found: Sequence[File], told: Summary, asked: Asked, safe: int) -> Iterator[Findings]:
    """What of it the journal does not keep; no row behind `safe` is compared."""
    yield signed(path, told, asked.public)
    yield _expected(path, found, asked.expected, safe)


def stored(found: Sequence[File], row: int) -> bytes | None:
    """The hash of a row, wherever it stands; None where it does not. Raises JournalError."""
    file = next((file for file in found if file.first <= row <= file.last), None)
    return hash_of(file, row) if file else None


def _expected(
    path: Path, found: Sequence[File], expected: Sequence[tuple[int, bytes]], safe: int
) -> Findings:
    findings = Findings(str(path))
    for row, noted in expected:
        try:
            digest = stored(found, row)
        except JournalError as error:
            findings.tell("expected", row, str(error))
            continue
        if digest and row > safe:
            findings.add("expected", row, "it is of the round in play: ask when that has ended")
        elif digest is None:
            findings.add("expected", row, f"it is not there; it should have the hash {noted.hex()}")
        elif digest != noted:
            findings.add("expected", row, f"its hash is {digest.hex()}; it should be {noted.hex()}")
    return findings
