"""The counters of a device's link: their texts for people, and the names of their metrics."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class LinkCounter:
    """`metric`: the part of the metric's name between "tableside_link_" and "_total"."""

    metric: str
    text: str


def counter_named(name: str) -> LinkCounter:
    """The counter with this name. Commercial shoes have further counters, whose texts are made from the
    name."""
    return LINK_COUNTERS.get(name) or LinkCounter(name, name.replace("_", " ").capitalize())


LINK_COUNTERS: Mapping[str, LinkCounter] = {
    "frames_in": LinkCounter("received_frames", "Frames received"),
    "frames_out": LinkCounter("sent_frames", "Frames sent"),
    "bytes_in": LinkCounter("received_bytes", "Bytes received"),
    "bytes_out": LinkCounter("sent_bytes", "Bytes sent"),
    "retransmissions": LinkCounter("retransmissions", "Frames retransmitted"),
    "timeouts": LinkCounter("timeouts", "Missed replies"),
    "naks_in": LinkCounter("received_naks", "Retransmissions requested by the device"),
    "naks_out": LinkCounter("sent_naks", "Retransmissions requested by the table"),
    "sessions": LinkCounter("sessions", "Sessions"),
    "cobs": LinkCounter("cobs", "Damaged: broken frame"),
    "length": LinkCounter("length", "Damaged: wrong length"),
    "crc": LinkCounter("crc", "Damaged: wrong checksum"),
    "version": LinkCounter("version", "Damaged: unsupported version"),
    "too_long": LinkCounter("too_long", "Damaged: too long"),
    "seal": LinkCounter("seal", "Sealed instead of clear, or clear instead of sealed"),
    "tag": LinkCounter("tag", "Wrong seals"),
    "acknowledgement": LinkCounter("acknowledgement", "Acknowledgements of frames that were never sent"),
    "channel": LinkCounter("channel", "Frames on unknown channels"),
    "sequence": LinkCounter("sequence", "Frames outside the window"),
    "credit": LinkCounter("credit", "Frames sent without credit"),
    "direction": LinkCounter("direction", "Messages in the wrong direction"),
    "message": LinkCounter("message", "Malformed messages"),
    "handshake": LinkCounter("handshake", "Failed handshakes"),
    "commit": LinkCounter("commit", "Commits of unknown events"),
    "repeats": LinkCounter("repeats", "Repeated events"),
    "unasked": LinkCounter("unasked", "Unexpected replies"),
    "duplicates": LinkCounter("duplicates", "Duplicate frames"),
    "out_of_order": LinkCounter("out_of_order", "Frames out of order"),
    "replays": LinkCounter("replays", "Replayed sealed frames"),
    "unknown": LinkCounter("unknown", "Messages of a later version"),
    "stray": LinkCounter("stray", "Frames of another session"),
    "late_heartbeats": LinkCounter("late_heartbeats", "Late heartbeats"),
    "noise_runs": LinkCounter("noise_runs", "Runs of noise"),
    "noise_bytes": LinkCounter("noise_bytes", "Bytes of noise"),
    "port_dropped_bytes": LinkCounter("port_dropped_bytes", "Bytes dropped at the port"),
}
"""By the counter's name in the table's JSON."""
