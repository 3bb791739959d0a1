"""How a device is, in a word; how fresh what the players' display shows is."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

from controller.table.record.views import DeviceView

Level = Literal["good", "warn", "bad"]
LATE = 1_500_000
"""Microseconds since the last heartbeat after which a device is late; at 3 seconds its session ends."""
DISPLAY = "display"


@dataclass(frozen=True, slots=True)
class Mark:
    """How something is: a level to see, and a word to read."""

    level: Level
    word: str


@dataclass(frozen=True, slots=True)
class DeviceMark:
    """One device; `detail` is a sentence, or empty."""

    name: str
    mark: Mark
    detail: str


STATES: Mapping[str, Mark] = {
    "waiting": Mark("bad", "missing"),
    "connecting": Mark("warn", "connecting"),
    "identifying": Mark("warn", "connecting"),
    "catching up": Mark("warn", "catching up"),
    "refused": Mark("bad", "refused"),
    "backing off": Mark("bad", "failing"),
    "held off": Mark("bad", "held off"),
}
"""Of a device that does not run."""
MODES: Mapping[str, Mark] = {
    "ready": Mark("good", "ready"),
    "busy": Mark("good", "busy"),
    "fault": Mark("bad", "fault"),
    "ring full": Mark("bad", "memory full"),
    "updating": Mark("warn", "updating"),
}
"""What a device that runs says of itself."""
RUNS = Mark("good", "runs")


def device_mark(device: DeviceView) -> DeviceMark:
    """At a glance."""
    return DeviceMark(device.name, _mark(device), device.detail)


def freshness(devices: Iterable[DeviceView]) -> Mark:
    """Whether the players' display shows what is played for: since when it was last heard of."""
    display = next((device for device in devices if device.kind == DISPLAY), None)
    if display is None:
        return Mark("good", "no display")
    if display.state != "running":
        return Mark("bad", "link lost")
    age = display.counters.get("heartbeat_age_us", 0)
    return Mark("warn", f"{age // 1_000_000} s old") if age > LATE else Mark("good", "fresh")


def _mark(device: DeviceView) -> Mark:
    if device.state != "running":
        return STATES.get(device.state, Mark("warn", device.state))
    if device.counters.get("heartbeat_age_us", 0) > LATE:
        return Mark("warn", "late")
    mode = device.condition.mode if device.condition else ""
    return MODES.get(mode, RUNS)
