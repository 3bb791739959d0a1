"""Metrics of devices and their links. Labels: the device, and as `kind` its state or the reason for a
reset."""

from collections.abc import Iterator, Mapping, Sequence

from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric

from controller.table.record.views import ConditionView, DeviceView
from controller.table.supervision import RESETS
from controller.telemetry.link_counters import counter_named
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


def families(devices: Sequence[DeviceView]) -> Iterator[Metric]:
    """The metrics of all devices."""
    yield _states(devices)
    insecure = GaugeMetricFamily(
        "tableside_insecure", "1 for a device whose messages are not sealed", labels=["device"]
    )
    for device in devices:
        insecure.add_metric([device.name], float(device.insecure))
    yield insecure
    yield from _conditions({device.name: device.condition for device in devices if device.condition})
    counters = {device.name: device.counters for device in devices}
    yield from _counted(counters)
    yield from _durations(counters)
    yield _resets(counters)


def _states(devices: Sequence[DeviceView]) -> Metric:
    family = GaugeMetricFamily(
        "tableside_device_state", "1 for the state that a device is in", labels=["device", "kind"]
    )
    for device in devices:
        for state in DEVICE_STATES:
            family.add_metric([device.name, state], float(device.state == state))
    return family


def _conditions(conditions: Mapping[str, ConditionView]) -> Iterator[Metric]:
    for name, (metric, help_text) in CONDITIONS.items():
        family = GaugeMetricFamily(metric, help_text, labels=["device"])
        for device, condition in conditions.items():
            family.add_metric([device], getattr(condition, name))
        yield family


def _counted(devices: Mapping[str, dict[str, int]]) -> Iterator[Metric]:
    names = {name for counts in devices.values() for name in counts if not name.startswith(RESETS)}
    for name in sorted(names - DURATIONS.keys()):
        count = counter_named(name)
        counter = CounterMetricFamily(
            f"tableside_link_{count.metric}", f"Link: {count.text}", labels=["device"]
        )
        for device, counts in devices.items():
            if name in counts:  # commercial shoes have counters of their own
                counter.add_metric([device], counts[name])
        yield counter


def _durations(devices: Mapping[str, dict[str, int]]) -> Iterator[Metric]:
    for name, (metric, help_text) in DURATIONS.items():
        duration = GaugeMetricFamily(metric, help_text, labels=["device"])
        for device, counts in devices.items():
            if name in counts:
                duration.add_metric([device], counts[name] / 1e6)
        yield duration


def _resets(devices: Mapping[str, dict[str, int]]) -> Metric:
    ends = CounterMetricFamily(
        "tableside_link_resets", "Ends of sessions, by reason", labels=["device", "kind"]
    )
    for device, counts in devices.items():
        for name, number in counts.items():
            if name.startswith(RESETS):
                ends.add_metric([device, name.removeprefix(RESETS)], number)
    return ends
