"""Compare a journal with what is known from outside it: the head record, the key that must have signed,
hashes that were noted."""

from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from controller.journal import head, names
from controller.journal.errors import JournalError
from controller.journal.head import HeadRecord
from controller.journal.history import AFTER_LAST_ROW, HistoryFile, open_checked
from controller.journal.schema import SCHEMA, check
from controller.past.anchor import Anchor
from controller.past.verify.findings import Findings
from controller.past.verify.parts import hash_of
from controller.past.verify.row_checks import ConfirmedRows
from controller.past.verify.summary import HistorySummary

CONFIRM_ADVICE = (
    "Compare the last rounds with slips and reports; a start of the table asks two supervisors to confirm "
    "the journal (tableside journal confirm)"
)


def read_head(path: Path) -> HeadRecord | None:
    """Read this before the rows, because a daemon writes it after them. Raises JournalError."""
    try:
        return head.read(names.head(path))
    except OSError as error:
        raise JournalError(f"record {names.head(path)} cannot be read: {error.strerror}") from error


def check_head(path: Path, found: Sequence[HistoryFile], mark: HeadRecord | None) -> Findings:
    """Whether the journal has the row in its head record. A file of the first schema has none."""
    findings = Findings(str(path))
    if not found or found[-1].closed or _old(path):
        return findings
    last = found[-1].last
    if mark is None:
        record = f"the record {names.head(path)} of its last row is missing or damaged"
        findings.add("damage", 0, f"{record}: rows behind row {last} may have been cut off. {CONFIRM_ADVICE}")
    elif mark.row > last:
        findings.add("damage", last + 1, f"rows {last + 1} to {mark.row} are gone. {CONFIRM_ADVICE}")
    elif mark.row >= found[0].first and _hash(found, mark.row) != mark.hash:
        findings.add("damage", mark.row, f"it is not the row that was written. {CONFIRM_ADVICE}")
    return findings


def _old(path: Path) -> bool:
    try:
        with closing(open_checked(path)) as database:
            return check(path, database) < SCHEMA
    except (JournalError, OSError):
        return False


def _hash(found: Sequence[HistoryFile], row: int) -> bytes | None:
    try:
        return next((hash_of(file, row) for file in found if file.first <= row <= file.last), None)
    except JournalError:
        return None


def check_signers(path: Path, summary: HistorySummary, public: bytes | None) -> Findings:
    """What is wrong with the keys that signed. `public`: the key that must have signed, None if it is
    unknown. One key signs a journal, apart from keys that two persons confirmed, until a row that both keys
    signed changes it."""
    findings = Findings(str(path))
    if public and public.hex() not in summary.keys:
        findings.add("checkpoint", 0, f"no row is signed by {public.hex()}")
    ours = _expected_key(summary, public)
    if summary.keys and summary.snapshot > summary.signed:
        findings.add("checkpoint", summary.snapshot, "no checkpoint signs it, though a round ended there")
    terms = _terms(summary, ours)
    for key, by in summary.keys.items():
        if key not in terms:
            what = f"it is the first of {by.count} signed by {key}; it should be by {ours}"
            if public is None:
                what += ", which signed last: one key signs a journal until a row changes the key"
            findings.add("checkpoint", by.row, what)
        elif by.last > terms[key].last:
            what = f"it is signed by {key}, which may sign nothing after row {terms[key].last}"
            findings.add("checkpoint", by.last, what)
        elif by.row < terms[key].first:
            what = f"it is signed by {key}, which may sign nothing before row {terms[key].first}"
            findings.add("checkpoint", by.row, what)
    return findings


def confirmations(summary: HistorySummary, public: bytes | None) -> Iterator[ConfirmedRows]:
    """The confirmations by two persons that the right key has signed since."""
    ours = summary.keys.get(_expected_key(summary, public))
    return (each for each in summary.confirmed if ours and ours.last > each.row)


def _expected_key(summary: HistorySummary, public: bytes | None) -> str:
    """The key that must have signed; if it is unknown, the one that signed last."""
    if public:
        return public.hex()
    return max(summary.keys, key=lambda key: summary.keys[key].last, default="")


@dataclass(frozen=True, slots=True)
class KeyTerm:
    """The rows in which a key may sign."""

    first: int = 0
    last: int = AFTER_LAST_ROW


def _terms(summary: HistorySummary, ours: str) -> dict[str, KeyTerm]:
    """The terms of all keys that may sign: of ours, of those that two persons confirmed, and of those before
    and after them."""
    terms = {
        key: KeyTerm(last=each.up_to)
        for each in confirmations(summary, bytes.fromhex(ours))
        for key in each.keys
    }
    terms[ours] = KeyTerm()
    for change in reversed(summary.changes):
        if change.new in terms:
            terms[change.new] = KeyTerm(change.row, terms[change.new].last)
            terms.setdefault(change.old, KeyTerm(last=change.row))
    for change in summary.changes:
        if change.old in terms and change.new not in terms:
            terms[change.old] = KeyTerm(terms[change.old].first, change.row)
            terms[change.new] = KeyTerm(change.row)
    return terms


@dataclass(frozen=True, slots=True)
class VerifyDemands:
    """`public`: the key that must have signed; `anchors`: rows and hashes that the journal must have;
    `mirror`: a copy that must have the same rows; `by_rules`: settle each round again; `processes`: the most
    to use."""

    public: bytes | None = None
    anchors: tuple[Anchor, ...] = ()
    mirror: Path | None = None
    by_rules: bool = True
    processes: int = 1


def unmet(
    path: Path, found: Sequence[HistoryFile], summary: HistorySummary, demands: VerifyDemands, safe: int
) -> Iterator[Findings]:
    """The demands that the journal does not meet. No row after `safe` is compared."""
    yield check_signers(path, summary, demands.public)
    yield check_anchors(path, found, demands.anchors, safe)


def stored_hash(found: Sequence[HistoryFile], row: int) -> bytes | None:
    """The stored hash of a row; None if no file has the row. Raises JournalError."""
    file = next((file for file in found if file.first <= row <= file.last), None)
    return hash_of(file, row) if file else None


def check_anchors(path: Path, found: Sequence[HistoryFile], anchors: Sequence[Anchor], safe: int) -> Findings:
    """The anchors that the journal does not have. The first one says since which row the journal differs. No
    row after `safe` is compared."""
    findings = Findings(str(path))
    first, last = (found[0].first, found[-1].last) if found else (0, 0)
    equal, differs = 0, False
    for anchor in sorted(anchors, key=lambda anchor: anchor.row):
        if safe < anchor.row <= last:
            findings.add("expected", anchor.row, "it is of the round in play: ask when that has ended")
        elif anchor.row < first:
            what = f"it is not there, because the journal begins with row {first}: compare an archived copy"
            findings.add("expected", anchor.row, what)
        elif not (fault := _anchor_fault(found, anchor)):
            equal = anchor.row
        else:
            since = f"the anchor of row {equal} is right" if equal else "no anchor before it is right"
            place = "" if differs else f". It is the first anchor that differs; {since}"
            findings.add("expected", anchor.row, fault + place)
            differs = True
    return findings


def _anchor_fault(found: Sequence[HistoryFile], anchor: Anchor) -> str:
    """What is wrong with the row of an anchor; empty if it has this hash."""
    try:
        digest = stored_hash(found, anchor.row)
    except JournalError as error:
        return f"it cannot be compared: {error}"
    if digest is None:
        return f"it is not there; it should have the hash {anchor.hash.hex()}"
    return "" if digest == anchor.hash else f"its hash is {digest.hex()}; it should be {anchor.hash.hex()}"
