"""The records of a round's story. They are apart from story.py because the daemon needs only them, for the
schema of its API: what reads a story also loads the rules, the odds and the export."""

from dataclasses import dataclass

from controller.past.recall.audit import AuditLine
from controller.past.recall.corrections import Correction
from controller.past.recall.summary import RoundSummary
from controller.past.seals import CheckedSeal
from controller.table.record.views import RoundView


@dataclass(frozen=True, slots=True)
class DrawnCard:
    """A card that left the shoe, "??" if it lay face down. `at`: seconds of Unix time."""

    at: float
    card: str


@dataclass(frozen=True, slots=True)
class WonShare:
    """A won share of a jackpot, in cents, and the number of its claim."""

    claim: int
    spot: str
    seat: int
    cents: int
    hit: str


@dataclass(frozen=True, slots=True)
class EvidenceLocation:
    """Where the round is: file, first row, and the row that ends it, with its hash in hex. `hash` is what
    `tableside journal export --evidence` prints."""

    file: str
    first: int
    row: int
    row_hash: str
    hash: str


@dataclass(frozen=True, slots=True)
class RoundStory:
    """One round. `shown`: after its corrections; `ended`: as it ended, None if it was not corrected since.
    `seals`: cards that were sealed while they lay face down or waited; `said`: decisions and requests before
    its end.

    Times are seconds of Unix time. `closed`: when betting closed, None if no row says so. `previous` and
    `next`: the numbers of the rounds around it, 0 if the journal does not have them. `unplayed`: why the
    round cannot be replayed, in a sentence.
    """

    line: RoundSummary
    game: str
    table: str
    version: str
    shown: RoundView
    ended: RoundView | None
    closed: float | None
    croupiers: tuple[str, ...]
    drawn: tuple[DrawnCard, ...]
    seals: tuple[CheckedSeal, ...]
    said: tuple[AuditLine, ...]
    corrections: tuple[Correction, ...]
    won: tuple[WonShare, ...]
    evidence: EvidenceLocation
    unplayed: str
    previous: int
    next: int
