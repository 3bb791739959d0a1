"""What is told of one ended round."""

from dataclasses import dataclass

from controller.past.recall.audit import AuditLine
from controller.past.recall.corrections import Correction
from controller.past.recall.summary import RoundSummary
from controller.table.record.views import RoundView


@dataclass(frozen=True, slots=True)
class DrawnCard:
    """A card that left the shoe; "??" one that lay face down. `at`: seconds of Unix time."""

    at: float
    card: str


@dataclass(frozen=True, slots=True)
class WonShare:
    """A share of a jackpot that was won, in cents, and the number of its claim."""

    claim: int
    spot: str
    seat: int
    cents: int
    hit: str


@dataclass(frozen=True, slots=True)
class EvidenceLocation:
    """Where the journal keeps it: file, rows, and in hex the hash of the row that ends it. `hash` is what
    `tableside export --evidence` prints."""

    file: str
    first: int
    row: int
    row_hash: str
    hash: str


@dataclass(frozen=True, slots=True)
class RoundStory:
    """One round. `shown`: as it says now; `ended`: as it ended, where it was put right since. `said`: what
    persons decided and asked for before its end.

    Times are seconds of Unix time; `closed` is when betting was, None where nothing tells. `previous` and
    `next` are rounds that are kept, 0: none. `unplayed`: why it cannot be replayed, in a sentence.
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
    said: tuple[AuditLine, ...]
    corrections: tuple[Correction, ...]
    won: tuple[WonShare, ...]
    evidence: EvidenceLocation
    unplayed: str
    previous: int
    next: int
