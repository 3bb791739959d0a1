"""Metrics that are read at each scrape: the current state of the table, its devices and its computer."""

from collections.abc import Callable, Iterator, Sequence

from controller.table.apply.conditions import disk_level
from controller.table.record.views import DeviceView
from controller.table.state.table_state import TableState
from controller.table.upkeep.disk_space import LEVELS
from controller.table.view.build import rounds_per_hour
from controller.telemetry import device_metrics, jackpot_metrics
from controller.telemetry.host import HostStatus
from controller.telemetry.log_stream import lost_lines
from controller.telemetry.prometheus.family import Family, counter, gauge, labelled


class TableCollector:
    """Collects the metrics for Prometheus. `target`: the house's target in rounds an hour; 0
    if none is set."""

    def __init__(
        self,
        state: Callable[[], TableState],
        devices: Callable[[], tuple[DeviceView, ...]],
        host: Callable[[], HostStatus] = HostStatus,
        *,
        target: Callable[[], int] = int,
    ) -> None:
        self._state, self._devices, self._host, self._target = state, devices, host, target

    def collect(self) -> Iterator[Family]:
        state, host = self._state(), self._host()
        for name, help_text, read in TABLE_GAUGES:
            yield gauge(name, help_text, read(state))
        yield from _pace(state, self._target())
        yield from _oldest_alert(state)
        yield from jackpot_metrics.families(state)
        yield from _disks(state, host)
        yield from device_metrics.families(self._devices())
        for name, help_text, of in HOST_GAUGES:
            yield gauge(name, help_text, of(host))
        yield counter(
            "tableside_log_lines_lost_total",
            "Lines of the log that its reader was too slow for",
            lost_lines(),
        )
        yield from _certificate(host)


def _cards(state: TableState) -> int:
    return 52 * state.ledger.decks


TABLE_GAUGES: Sequence[tuple[str, str, Callable[[TableState], float]]] = (
    ("tableside_suspended", "1 while play is suspended", lambda state: float(bool(state.suspension))),
    ("tableside_halted", "1 while the table is halted", lambda _: 0.0),
    ("tableside_test_mode", "1 while the table is tested", lambda state: float(state.testing is not None)),
    (
        "tableside_requests_open",
        "What somebody has asked for and nobody has answered",
        lambda state: len(state.shift.requests.open),
    ),
    (
        "tableside_alerts_open",
        "Alerts that nobody has acknowledged",
        lambda state: len(state.shift.alarms.open),
    ),
    (
        "tableside_alerts_ended",
        "Those of them whose cause has ended",
        lambda state: sum(alarm.ended is not None for alarm in state.shift.alarms.open),
    ),
    ("tableside_shoe_cards", "Cards of the decks in the shoe", _cards),
    (
        "tableside_shoe_cards_out",
        "Cards that left the shoe since it was loaded and have a place",
        lambda state: state.ledger.out,
    ),
    (
        "tableside_shoe_penetration_ratio",
        "Their share of the shoe's cards",
        lambda state: state.ledger.out / _cards(state),
    ),
)
HOST_GAUGES: Sequence[tuple[str, str, Callable[[HostStatus], float]]] = (
    ("tableside_journal_rows", "The journal's last row", lambda machine: machine.rows),
    (
        "tableside_journal_bytes",
        "What the journal and its closed files take",
        lambda machine: machine.journal_bytes,
    ),
    ("tableside_web_sessions", "Persons who are signed in", lambda machine: machine.sessions),
)


def _pace(state: TableState, target: int) -> Iterator[Family]:
    """The pace, its target and the end of the last round, each only if it is known."""
    pace = rounds_per_hour(state)
    if pace is not None:
        yield gauge("tableside_pace_rounds_per_hour", "Rounds an hour over the last ones", pace)
    if target:
        yield gauge("tableside_pace_target_rounds_per_hour", "Rounds an hour that the house wants", target)
    if state.shift.round_ends:
        last = state.shift.round_ends[0]
        yield gauge("tableside_round_end_timestamp_seconds", "When the last round ended", last)


def _oldest_alert(state: TableState) -> Iterator[Family]:
    raised = [alarm.first for alarm in state.shift.alarms.open if alarm.ended is None]
    if raised:
        yield gauge(
            "tableside_alert_oldest_timestamp_seconds",
            "When the oldest alert was raised that nobody has acknowledged and whose cause has not ended",
            min(raised),
        )


def _disks(state: TableState, host: HostStatus) -> Iterator[Family]:
    yield labelled(
        "gauge",
        "tableside_disk_free_bytes",
        "Room on a disk of the journal's",
        ("device",),
        (((disk,), free) for disk, free in host.free_bytes.items()),
    )
    yield labelled(
        "gauge",
        "tableside_disk_level",
        "1 for the level that a disk is at",
        ("device", "kind"),
        (((disk, name), disk_level(state, disk) == name) for disk in host.free_bytes for name in LEVELS),
    )


def _certificate(host: HostStatus) -> Iterator[Family]:
    if host.certificate is not None:
        yield gauge(
            "tableside_certificate_expiry_timestamp_seconds",
            "When the page's certificate expires",
            host.certificate,
        )
