"""What a link counts, for the metrics."""

from dataclasses import dataclass, field, fields


@dataclass(slots=True)
class Counters:
    """The counts of one link. Each received frame that is dropped is counted in one check."""

    frames_in: int = 0
    frames_out: int = 0
    bytes_in: int = 0
    bytes_out: int = 0
    retransmissions: int = 0
    timeouts: int = 0
    naks_in: int = 0
    naks_out: int = 0
    sessions: int = 0
    cobs: int = 0
    length: int = 0
    crc: int = 0
    version: int = 0
    too_long: int = 0
    seal: int = 0
    tag: int = 0
    acknowledgement: int = 0
    channel: int = 0
    sequence: int = 0
    credit: int = 0
    direction: int = 0
    message: int = 0
    handshake: int = 0
    commit: int = 0
    """Commits of events that do not exist."""
    repeats: int = 0
    """Events that the host already had."""
    unasked: int = 0
    """Results of commands that this host did not send; blocks that were not asked for or do not exist."""
    duplicates: int = 0
    out_of_order: int = 0
    replays: int = 0
    unknown: int = 0
    stray: int = 0
    late_heartbeats: int = 0
    """How often the peer's heartbeat was overdue, whether or not the session was lost."""
    round_trip_us: int = 0
    resets: dict[str, int] = field(default_factory=dict)
    """How often a session ended, by the word of `Ended.reason`."""

    def count_session_end(self, reason: str) -> None:
        """Counts the end of a session."""
        self.resets[reason] = self.resets.get(reason, 0) + 1

    def count_unreadable(self, *, unknown: bool) -> None:
        """Counts a message that cannot be used: `unknown` ones of a later version, or malformed ones."""
        self.unknown += unknown
        self.message += not unknown

    def count_noise(self, reason: str) -> None:
        """Counts a run of bytes that is not a frame. `reason` as in frames.Noise."""
        name = reason.replace(" ", "_")
        setattr(self, name, getattr(self, name) + 1)


def total(past: Counters, link: Counters) -> Counters:
    """Adds the counts of two links. Times are those of the newer link."""
    resets = {
        word: past.resets.get(word, 0) + link.resets.get(word, 0) for word in {**past.resets, **link.resets}
    }
    sums = {
        field.name: getattr(past, field.name) + getattr(link, field.name)
        for field in fields(Counters)
        if field.type is int
    }
    return Counters(**{**sums, "round_trip_us": link.round_trip_us or past.round_trip_us}, resets=resets)
