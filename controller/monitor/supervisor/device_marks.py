"""How a device is, in a word; how fresh what the players' display shows is."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from controller.monitor.device_states import StatusMark, device_state_text
from controller.table.record.views import DeviceView

LATE_HEARTBEAT_US = 1_500_000
"""Microseconds since the last heartbeat after which a device is late; at 3 seconds its session ends."""
DISPLAY = "display"


@dataclass(frozen=True, slots=True)
class DeviceMark:
    """`detail` is a sentence, or empty."""

    name: str
    mark: StatusMark
    detail: str


MODES: Mapping[str, StatusMark] = {
    "ready": StatusMark("good", "ready"),
    "busy": StatusMark("good", "busy"),
    "fault": StatusMark("bad", "fault"),
    "ring full": StatusMark("bad", "memory full"),
    "updating": StatusMark("warn", "updating"),
}
"""By the mode that a running device reports."""


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
        return device_state_text(device.state).mark
    if device.counters.get("heartbeat_age_us", 0) > LATE_HEARTBEAT_US:
        return StatusMark("warn", "late")
    mode = device.condition.mode if device.condition else ""
    return MODES.get(mode, device_state_text(device.state).mark)
