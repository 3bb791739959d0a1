"""What a device's link counts: the words for people, and the name of the metric."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Count:
    """`metric`: between "tableside_link_" and "_total"."""

    metric: str
    words: str


def named(name: str) -> Count:
    """The count of this name; makes of commercial shoes have some of their own."""
    return COUNTS.get(name) or Count(name, name.replace("_", " ").capitalize())


COUNTS: Mapping[str, Count] = {
    "frames_in": Count("received_frames", "Frames that came"),
    "frames_out": Count("sent_frames", "Frames that were sent"),
    "bytes_in": Count("received_bytes", "Bytes that came"),
    "bytes_out": Count("sent_bytes", "Bytes that were sent"),
    "retransmissions": Count("retransmissions", "Frames sent again"),
    "timeouts": Count("timeouts", "Answers that stayed away"),
    "naks_in": Count("received_naks", "Times it asked for a frame again"),
    "naks_out": Count("sent_naks", "Times we asked for a frame again"),
    "sessions": Count("sessions", "Sessions"),
    "cobs": Count("cobs", "Damaged: broken frame"),
    "length": Count("length", "Damaged: wrong length"),
    "crc": Count("crc", "Damaged: wrong check sum"),
    "version": Count("version", "Damaged: another version"),
    "too_long": Count("too_long", "Damaged: too long"),
    "seal": Count("seal", "Sealed where clear was due, or the other way round"),
    "tag": Count("tag", "Wrong seals"),
    "acknowledgement": Count("acknowledgement", "Acknowledged what was never sent"),
    "channel": Count("channel", "On a channel that does not exist"),
    "sequence": Count("sequence", "Out of the window"),
    "credit": Count("credit", "Sent without leave"),
    "direction": Count("direction", "Messages for the other side"),
    "message": Count("message", "Malformed messages"),
    "handshake": Count("handshake", "Handshakes that failed"),
    "commit": Count("commit", "Commits of events that do not exist"),
    "repeats": Count("repeats", "Events that were told again"),
    "unasked": Count("unasked", "Answers that nobody asked for"),
    "duplicates": Count("duplicates", "Frames that came twice"),
    "out_of_order": Count("out_of_order", "Frames that came before their turn"),
    "replays": Count("replays", "Old sealed frames"),
    "unknown": Count("unknown", "Messages of a later version"),
    "stray": Count("stray", "Frames of another session"),
    "late_heartbeats": Count("late_heartbeats", "Heartbeats that were overdue"),
    "noise_runs": Count("noise_runs", "Runs of bytes that mean nothing"),
    "noise_bytes": Count("noise_bytes", "Bytes that mean nothing"),
    "port_dropped_bytes": Count("port_dropped_bytes", "Bytes that nobody took from the port"),
}
"""By the name that the counters have in the table's JSON."""
