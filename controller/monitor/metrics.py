"""What the table counts and measures, for Prometheus, in a registry of its own."""

from collections.abc import Callable, Iterator, Mapping

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from controller.monitor import jackpots
from controller.table.conditions import level
from controller.table.events import Input
from controller.table.notes import Alert, ClockStepped, Note, Refusal, RoundEnded
from controller.table.space import LEVELS
from controller.table.state import TableState
from controller.table.supervision import RESETS
from controller.table.view import DeviceView
from drivers.messages import CardDrawn, CardInterrupted, CardUnpermitted, CardUnreadable
from drivers.reconnect import STATES
from drivers.reports import DeviceEvent

COMMIT_BUCKETS = (0.0001, 0.0002, 0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.5, 1.0)
LAMP_BUCKETS = (0.0002, 0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 1.0)
CARDS: dict[type, str] = {
    CardDrawn: "drawn",
    CardUnreadable: "unreadable",
    CardUnpermitted: "unpermitted",
    CardInterrupted: "interrupted",
}
DURATIONS = {
    # what a device's link measures in microseconds -> metric, help
    "round_trip_us": ("tableside_link_round_trip_seconds", "The link's round trip"),
    "heartbeat_age_us": ("tableside_link_heartbeat_age_seconds", "Since the device's last heartbeat"),
}


class Meters:
    """A witness at the table. Labels say device, kind, game, seat and spot, nothing about any card."""

    def __init__(self, registry: CollectorRegistry, game: str, version: str) -> None:
        self._game = game
        build = Gauge("tableside_build_info", "The running version", ["version", "game"], registry=registry)
        build.labels(version, game).set(1)
        self._cards = Counter(
            "tableside_cards", "Cards that left the shoe, by how", ["kind"], registry=registry
        )
        self._rounds = Counter("tableside_rounds", "Ended rounds", ["game", "kind"], registry=registry)
        self._wagers = Counter("tableside_wagers", "Settled wagers", ["seat", "spot"], registry=registry)
        self._refusals = Counter("tableside_refusals", "Keys that were refused", registry=registry)
        self._steps = Counter("tableside_clock_steps", "Times that the clock was set", registry=registry)
        self._alerts = Counter("tableside_alerts", "Alerts at the table", registry=registry)
        self._commit = Histogram(
            "tableside_journal_commit_seconds", "One transaction of the journal", buckets=COMMIT_BUCKETS,
            registry=registry,
        )  # fmt: skip
        self._lamp = Histogram(
            "tableside_card_to_lamp_seconds", "From a card's arrival until what follows is with the devices",
            buckets=LAMP_BUCKETS, registry=registry,
        )  # fmt: skip
        for kind in CARDS.values():
            self._cards.labels(kind)

    def saw(self, event: Input) -> None:
        """Count cards; not which."""
        if isinstance(event, DeviceEvent) and not event.history and (kind := CARDS.get(type(event.body))):
            self._cards.labels(kind).inc()

    def noted(self, note: Note) -> None:
        """Count what followed."""
        if isinstance(note, Alert):
            self._alerts.inc()
        elif isinstance(note, ClockStepped):
            self._steps.inc()
        elif isinstance(note, Refusal):
            self._refusals.inc()
        elif isinstance(note, RoundEnded):
            self._rounds.labels(self._game, note.round.outcome).inc()
            for line in note.round.lines:
                self._wagers.labels(str(line.seat), line.wager).inc()

    def committed(self, seconds: float) -> None:
        """How long the disk took."""
        self._commit.observe(seconds)

    def shown(self, seconds: float) -> None:
        """How long a card took."""
        self._lamp.observe(seconds)


class TableCollector(Collector):
    """What is read when it is asked for: how the table and its devices are now."""

    def __init__(
        self,
        state: Callable[[], TableState],
        devices: Callable[[], tuple[DeviceView, ...]],
        free: Callable[[], Mapping[str, int]] = dict,
    ) -> None:
        self._state, self._devices, self._free = state, devices, free

    def collect(self) -> Iterator[Metric]:
        """All of it."""
        suspended = GaugeMetricFamily("tableside_suspended", "1 while play is suspended")
        suspended.add_metric([], float(bool(self._state().suspension)))
        yield suspended
        yield from jackpots.families(self._state())
        yield GaugeMetricFamily("tableside_halted", "1 while the table is halted", 0.0)
        yield from _disks(self._state(), self._free())
        devices = self._devices()
        yield _states(devices)
        insecure = GaugeMetricFamily(
            "tableside_insecure", "1 for a device whose messages are not sealed", labels=["device"]
        )
        for device in devices:
            insecure.add_metric([device.name], float(device.insecure))
        yield insecure
        yield from _counters({device.name: device.counters for device in devices})


def _disks(state: TableState, free: Mapping[str, int]) -> Iterator[Metric]:
    room = GaugeMetricFamily("tableside_disk_free_bytes", "Room on a disk of the journal's", labels=["disk"])
    levels = GaugeMetricFamily(
        "tableside_disk_level", "1 for the level that a disk is at", labels=["disk", "level"]
    )
    for disk, left in free.items():
        room.add_metric([disk], left)
        for name in LEVELS:
            levels.add_metric([disk, name], float(level(state, disk) == name))
    yield from (room, levels)


def _states(devices: tuple[DeviceView, ...]) -> Metric:
    family = GaugeMetricFamily(
        "tableside_device_state", "1 for the state that a device is in", labels=["device", "kind"]
    )
    for device in devices:
        for state in STATES:
            family.add_metric([device.name, state], float(device.state == state))
    return family


def _counters(devices: Mapping[str, dict[str, int]]) -> Iterator[Metric]:
    names = {name for counts in devices.values() for name in counts if not name.startswith(RESETS)}
    for name in sorted(names - DURATIONS.keys()):
        counter = CounterMetricFamily(
            f"tableside_link_{name}", f"Link: {name.replace('_', ' ')}", labels=["device"]
        )
        for device, counts in devices.items():
            if name in counts:  # commercial shoes count more
                counter.add_metric([device], counts[name])
        yield counter
    for name, (metric, told) in DURATIONS.items():
        duration = GaugeMetricFamily(metric, told, labels=["device"])
        for device, counts in devices.items():
            if name in counts:
                duration.add_metric([device], counts[name] / 1e6)
        yield duration
    yield _resets(devices)


def _resets(devices: Mapping[str, dict[str, int]]) -> Metric:
    ends = CounterMetricFamily(
        "tableside_link_resets", "Ends of sessions, by reason", labels=["device", "reason"]
    )
    for device, counts in devices.items():
        for name, number in counts.items():
            if name.startswith(RESETS):
                ends.add_metric([device, name.removeprefix(RESETS)], number)
    return ends
