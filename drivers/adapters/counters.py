"""What is counted on the line of a commercial shoe, besides bytes, messages and sessions."""

from dataclasses import dataclass, fields

from drivers.link.counters import Counters


@dataclass(slots=True)
class AdapterCounters(Counters):
    """`repeats` are further copies of a message, `unasked` answers to nothing, `timeouts` orders that had no
    answer, `retransmissions` orders that were sent again."""

    noise_runs: int = 0
    """Runs of bytes that are no message."""
    noise_bytes: int = 0
    doubts: int = 0
    """Times that a card may have left unseen."""
    contradictions: int = 0
    """Times that the shoe said of its lock what it was not ordered."""


def together(past: AdapterCounters, line: AdapterCounters) -> AdapterCounters:
    """Both added up."""
    words = {**past.resets, **line.resets}
    resets = {word: past.resets.get(word, 0) + line.resets.get(word, 0) for word in words}
    names = [field.name for field in fields(AdapterCounters) if field.name != "resets"]
    return AdapterCounters(
        **{name: getattr(past, name) + getattr(line, name) for name in names}, resets=resets
    )
