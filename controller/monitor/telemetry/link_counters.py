"""What a device's link counts: the words for people, and the name of the metric."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class LinkCounter:
    """`metric`: between "tableside_link_" and "_total"."""

    metric: str
    text: str


def counter_named(name: str) -> LinkCounter:
    """The count of this name; makes of commercial shoes have some of their own."""
    return LINK_COUNTERS.get(name) or LinkCounter(name, name.replace("_", " ").capitalize())


LINK_COUNTERS: Mapping[str, LinkCounter] = {
    "frames_in": LinkCounter("received_frames", "Frames that came"),
    "frames_out": LinkCounter("sent_frames", "Frames that were sent"),
    "bytes_in": LinkCounter("received_bytes", "Bytes that came"),
    "bytes_out": LinkCounter("sent_bytes", "Bytes that were sent"),
    "retransmissions": LinkCounter("retransmissions", "Frames sent again"),
    "timeouts": LinkCounter("timeouts", "Answers that stayed away"),
    "naks_in": LinkCounter("received_naks", "Times it asked for a frame again"),
    "naks_out": LinkCounter("sent_naks", "Times we asked for a frame again"),
    "sessions": LinkCounter("sessions", "Sessions"),
    "cobs": LinkCounter("cobs", "Damaged: broken frame"),
    "length": LinkCounter("length", "Damaged: wrong length"),
    "crc": LinkCounter("crc", "Damaged: wrong check sum"),
    "version": LinkCounter("version", "Damaged: another version"),
    "too_long": LinkCounter("too_long", "Damaged: too long"),
    "seal": LinkCounter("seal", "Sealed where clear was due, or the other way round"),
    "tag": LinkCounter("tag", "Wrong seals"),
    "acknowledgement": LinkCounter("acknowledgement", "Acknowledged what was never sent"),
    "channel": LinkCounter("channel", "On a channel that does not exist"),
    "sequence": LinkCounter("sequence", "Out of the window"),
    "credit": LinkCounter("credit", "Sent without leave"),
    "direction": LinkCounter("direction", "Messages for the other side"),
    "message": LinkCounter("message", "Malformed messages"),
    "handshake": LinkCounter("handshake", "Handshakes that failed"),
    "commit": LinkCounter("commit", "Commits of events that do not exist"),
    "repeats": LinkCounter("repeats", "Events that were told again"),
    "unasked": LinkCounter("unasked", "Answers that nobody asked for"),
    "duplicates": LinkCounter("duplicates", "Frames that came twice"),
    "out_of_order": LinkCounter("out_of_order", "Frames that came before their turn"),
    "replays": LinkCounter("replays", "Old sealed frames"),
    "unknown": LinkCounter("unknown", "Messages of a later version"),
    "stray": LinkCounter("stray", "Frames of another session"),
    "late_heartbeats": LinkCounter("late_heartbeats", "Heartbeats that were overdue"),
    "noise_runs": LinkCounter("noise_runs", "Runs of bytes that mean nothing"),
    "noise_bytes": LinkCounter("noise_bytes", "Bytes that mean nothing"),
    "port_dropped_bytes": LinkCounter("port_dropped_bytes", "Bytes that nobody took from the port"),
}
"""By the name that the counters have in the table's JSON."""
