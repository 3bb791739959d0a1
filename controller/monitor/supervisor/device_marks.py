"""Status marks of devices, and of how current the players' display is."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from controller.monitor.device_states import StatusMark, device_state_text
from controller.table.record.views import DeviceView

LATE_HEARTBEAT_US = 1_500_000
"""Microseconds since the last heartbeat after which a device is late. Its session ends after 3 seconds."""
DISPLAY = "display"


@dataclass(frozen=True, slots=True)
class DeviceMark:
    """A device with its mark. `detail`: a sentence, or empty."""

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
"""Marks of a running device by the mode that it reports."""


def device_mark(device: DeviceView) -> DeviceMark:
    """The mark of a device, with its name and detail."""
    return DeviceMark(device.name, _mark(device), device.detail)


def freshness(devices: Iterable[DeviceView]) -> StatusMark:
    """Whether the players' display is up to date, judged by the age of its last heartbeat."""
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
