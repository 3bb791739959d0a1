"""What a demonstration reports."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Latency:
    """Milliseconds from a card that left the shoe to the lamps that it changed."""

    samples: int
    p50: float | None
    p99: float | None


@dataclass(frozen=True, slots=True)
class Result:
    """Counted from the journal; link counters and latency as seen while it ran."""

    rounds: int
    cards: int
    wagers: int
    seconds: float
    start_to_ready: float
    retransmissions: int
    """Frames that the controller sent again."""
    corrupted: int
    """Frames that arrived damaged."""
    card_to_lamp_ms: Latency
    journal_equals_shoe: bool
    """The journal holds the cards of the simulated shoe's own list, one for one and in order."""
    disputes: tuple[str, ...]
    """A sentence for each thing that the table says otherwise than the crew's own record of a round."""

    @property
    def sound(self) -> bool:
        """Nobody's books say anything else than the table's."""
        return self.journal_equals_shoe and not self.disputes
