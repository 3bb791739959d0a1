"""What a link counts, for its owner's metrics."""

from dataclasses import dataclass, field, fields


@dataclass(slots=True)
class Counters:
    """One link's counts since it was made. Each received frame that is dropped counts in one check."""

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
    """Events that a host has already."""
    unasked: int = 0
    """Results of commands that this host did not give; blocks that were not asked for, or cannot be given."""
    duplicates: int = 0
    out_of_order: int = 0
    replays: int = 0
    unknown: int = 0
    stray: int = 0
    late_heartbeats: int = 0
    """Times that the peer's heartbeat was overdue, whether or not the session was lost then."""
    round_trip_us: int = 0
    resets: dict[str, int] = field(default_factory=dict)
    """How often a session ended, by the word of `Ended.reason`."""

    def count_session_end(self, reason: str) -> None:
        """One more session ended for this reason."""
        self.resets[reason] = self.resets.get(reason, 0) + 1

    def count_unreadable(self, *, unknown: bool) -> None:
        """One more message that cannot be used: of a later version, or malformed."""
        self.unknown += unknown
        self.message += not unknown

    def count_noise(self, reason: str) -> None:
        """One more run of bytes that is no frame; `reason` as in frames.Noise."""
        name = reason.replace(" ", "_")
        setattr(self, name, getattr(self, name) + 1)


def total(past: Counters, link: Counters) -> Counters:
    """Both together; times are of the newer one."""
    resets = {
        word: past.resets.get(word, 0) + link.resets.get(word, 0) for word in {**past.resets, **link.resets}
    }
    sums = {
        field.name: getattr(past, field.name) + getattr(link, field.name)
        for field in fields(Counters)
        if field.type is int
    }
    return Counters(**{**sums, "round_trip_us": link.round_trip_us or past.round_trip_us}, resets=resets)
