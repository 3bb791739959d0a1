"""What whoever asks knows from elsewhere: who must have signed, hashes that were noted, where a copy is."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from controller.journal.errors import JournalError
from controller.verify.findings import Findings
from controller.verify.merge import Summary
from controller.verify.parts import File, hash_of
from controller.verify.signatures import signed


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
