"""Health of a device and its link, and advice about it."""

from collections.abc import Callable
from dataclasses import dataclass

from controller.monitor.device_states import device_state_text
from controller.table.record.views import ConditionView, DeviceView

DAMAGE_COUNTERS = ("cobs", "length", "crc", "version", "too_long")
"""Counters of received data that was not a valid frame."""
LEAST_FRAMES = 100
"""Least number of frames from which a share is computed."""


@dataclass(frozen=True, slots=True)
class DeviceHealth:
    """Health of a device and its link. Times in seconds. A value is None if it is unknown or no session is
    up."""

    heartbeat_age: float | None = None
    round_trip: float | None = None
    repeated: float | None = None
    """Retransmitted frames per 1,000 sent; None below LEAST_FRAMES."""
    damaged: float | None = None
    """Damaged frames per 1,000 received; None below LEAST_FRAMES."""
    condition: ConditionView | None = None


def link_health(view: DeviceView) -> DeviceHealth:
    """The health of a device, from its counters and its last heartbeat."""
    counts = view.counters
    damaged = sum(counts.get(name, 0) for name in DAMAGE_COUNTERS)
    return DeviceHealth(
        heartbeat_age=_seconds(counts.get("heartbeat_age_us")),
        round_trip=_seconds(counts.get("round_trip_us") or None),
        repeated=_share(counts.get("retransmissions", 0), counts.get("frames_out", 0)),
        damaged=_share(damaged, damaged + counts.get("frames_in", 0)),
        condition=view.condition,
    )


def advice(state: str, health: DeviceHealth) -> str:
    """What to do about a device, in a sentence; empty if nobody has to act."""
    return device_state_text(state).advice or next((words for wrong, words in WARNINGS if wrong(health)), "")


MOST_LOSSES = 10.0
"""Lost frames per 1,000 from which a link counts as bad."""
HOT = 70
"""Degrees Celsius."""
WARNINGS: tuple[tuple[Callable[[DeviceHealth], bool], str], ...] = (
    (
        lambda health: (health.damaged or 0) >= MOST_LOSSES,
        "The line damages the messages of the device: check cable, shield and baud rate.",
    ),
    (
        lambda health: (health.repeated or 0) >= MOST_LOSSES,
        "The device does not receive all our messages: check cable, shield and baud rate.",
    ),
    (
        lambda health: health.condition is not None and health.condition.celsius >= HOT,
        "The device is hot: give it more air.",
    ),
    (
        lambda health: health.condition is not None and health.condition.mode in {"fault", "ring full"},
        "The device reports a problem: look at its own display and at the alerts on the page.",
    ),
)


def _seconds(microseconds: int | None) -> float | None:
    return None if microseconds is None else microseconds / 1e6


def _share(part: int, whole: int) -> float | None:
    return 1000 * part / whole if whole >= LEAST_FRAMES else None
