"""Metrics of devices and their links. Labels: the device, and as `kind` its state or the reason for a
reset."""

from collections.abc import Iterator, Mapping, Sequence

from controller.table.record.views import ConditionView, DeviceView
from controller.table.supervision import MEASURED, RESETS
from controller.telemetry.link_counters import counter_named
from controller.telemetry.prometheus.family import Family, labelled
from drivers.devices.reconnect import DEVICE_STATES

DURATIONS = {
    # a measurement of the link in microseconds -> metric, help
    "round_trip_us": ("tableside_link_round_trip_seconds", "The link's round trip"),
    "heartbeat_age_us": ("tableside_link_heartbeat_age_seconds", "Since the device's last heartbeat"),
}
CONDITIONS = {
    # a field of the heartbeat -> metric, help
    "celsius": ("tableside_device_temperature_celsius", "The device's temperature by its own sensor"),
    "errors": ("tableside_device_errors", "Errors that the device has counted since it was switched on"),
    "free": ("tableside_device_memory_events", "Events that the device's memory has room for"),
}


def families(devices: Sequence[DeviceView]) -> Iterator[Family]:
    """The metrics of all devices."""
    yield _states(devices)
    yield labelled(
        "gauge",
        "tableside_insecure",
        "1 for a device whose messages are not sealed",
        ("device",),
        (((device.name,), device.insecure) for device in devices),
    )
    yield from _conditions({device.name: device.condition for device in devices if device.condition})
    counters = {device.name: device.counters for device in devices}
    yield from _counted(counters)
    yield from _durations(counters)
    yield _resets(counters)
    yield _measurements(counters)


def _states(devices: Sequence[DeviceView]) -> Family:
    return labelled(
        "gauge",
        "tableside_device_state",
        "1 for the state that a device is in",
        ("device", "kind"),
        (((device.name, state), device.state == state) for device in devices for state in DEVICE_STATES),
    )


def _conditions(conditions: Mapping[str, ConditionView]) -> Iterator[Family]:
    for name, (metric, help_text) in CONDITIONS.items():
        values = (((device,), getattr(condition, name)) for device, condition in conditions.items())
        yield labelled("gauge", metric, help_text, ("device",), values)


def _counted(devices: Mapping[str, dict[str, int]]) -> Iterator[Family]:
    names = {
        name for counts in devices.values() for name in counts if not name.startswith((RESETS, MEASURED))
    }
    for name in sorted(names - DURATIONS.keys()):
        count = counter_named(name)
        metric = f"tableside_link_{count.metric}_total"
        yield labelled("counter", metric, f"Link: {count.text}", ("device",), _values(devices, name))


def _durations(devices: Mapping[str, dict[str, int]]) -> Iterator[Family]:
    for name, (metric, help_text) in DURATIONS.items():
        seconds = ((device, count / 1e6) for device, count in _values(devices, name))
        yield labelled("gauge", metric, help_text, ("device",), seconds)


def _values(devices: Mapping[str, dict[str, int]], name: str) -> Iterator[tuple[tuple[str], int]]:
    """A counter of the devices that have it: commercial shoes have counters of their own."""
    return (((device,), counts[name]) for device, counts in devices.items() if name in counts)


def _measurements(devices: Mapping[str, dict[str, int]]) -> Family:
    values = (
        ((device, name.removeprefix(MEASURED)), number)
        for device, counts in devices.items()
        for name, number in counts.items()
        if name.startswith(MEASURED)
    )
    help_text = "The last value of each kind that a device has measured"
    return labelled("gauge", "tableside_device_measurement", help_text, ("device", "kind"), values)


def _resets(devices: Mapping[str, dict[str, int]]) -> Family:
    values = (
        ((device, name.removeprefix(RESETS)), number)
        for device, counts in devices.items()
        for name, number in counts.items()
        if name.startswith(RESETS)
    )
    return labelled(
        "counter", "tableside_link_resets_total", "Ends of sessions, by reason", ("device", "kind"), values
    )
