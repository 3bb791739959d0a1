"""How a device is, in a word; how fresh what the players' display shows is."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

from controller.table.record.views import DeviceView

MarkLevel = Literal["good", "warn", "bad"]
LATE_HEARTBEAT_US = 1_500_000
"""Microseconds since the last heartbeat after which a device is late; at 3 seconds its session ends."""
DISPLAY = "display"


@dataclass(frozen=True, slots=True)
class StatusMark:
    """How something is: a level to see, and a word to read."""

    level: MarkLevel
    word: str


@dataclass(frozen=True, slots=True)
class DeviceMark:
    """One device; `detail` is a sentence, or empty."""

    name: str
    mark: StatusMark
    detail: str


STATES: Mapping[str, StatusMark] = {
    "waiting": StatusMark("bad", "missing"),
    "connecting": StatusMark("warn", "connecting"),
    "identifying": StatusMark("warn", "connecting"),
    "catching up": StatusMark("warn", "catching up"),
    "refused": StatusMark("bad", "refused"),
    "backing off": StatusMark("bad", "failing"),
    "held off": StatusMark("bad", "held off"),
}
"""Of a device that does not run."""
MODES: Mapping[str, StatusMark] = {
    "ready": StatusMark("good", "ready"),
    "busy": StatusMark("good", "busy"),
    "fault": StatusMark("bad", "fault"),
    "ring full": StatusMark("bad", "memory full"),
    "updating": StatusMark("warn", "updating"),
}
"""What a device that runs says of itself."""
RUNNING = StatusMark("good", "runs")


def device_mark(device: DeviceView) -> DeviceMark:
    """At a glance."""
    return DeviceMark(device.name, _mark(device), device.detail)


def freshness(devices: Iterable[DeviceView]) -> StatusMark:
    """Whether the players' display shows what is played for: since when it was last heard of."""
    display = next((device for device in devices if device.kind == DISPLAY), None)
    if display is None:
        return StatusMark("good", "no display")
    if display.state != "running":
        return StatusMark("bad", "link lost")
    age = display.counters.get("heartbeat_age_us", 0)
    return (
        StatusMark("warn", f"{age // 1_000_000} s old")
        if age > LATE_HEARTBEAT_US
        else StatusMark("good", "fresh")
    )


def _mark(device: DeviceView) -> StatusMark:
    if device.state != "running":
        return STATES.get(device.state, StatusMark("warn", device.state))
    if device.counters.get("heartbeat_age_us", 0) > LATE_HEARTBEAT_US:
        return StatusMark("warn", "late")
    mode = device.condition.mode if device.condition else ""
    return MODES.get(mode, RUNNING)
