"""Makes the tile of a table from what the floor knows of it."""

from collections.abc import Iterable, Iterator
from typing import Any, Final

from controller.currency import Currency
from controller.floor.tables.alerts import FloorAlert
from controller.floor.tables.record import TableRecord
from controller.floor.tables.tile import Condition, Tile, TileAlert
from controller.property.status import NO_DIRECTORY, SEVERITIES, Severity, StatusAlert, TableStatus
from controller.table.apply.alert_endings import ALERT_KINDS

RUNNING: Final = "running"
"""The state of a device that is not missing."""
ASKED: Final[Severity] = "warning"
"""How urgently a request needs attention."""
SUSPENDED: Final[Severity] = "warning"
Need = tuple[Severity, float]
"""How urgently a table needs attention, and since when."""


def tile_of(record: TableRecord, pit: str, place: int, alerts: Iterable[FloorAlert], now: float) -> Tile:
    """`alerts`: those of the floor about this table; `pit` and `place`: where the table is."""
    condition = condition_of(record, now)
    listed = shown_alerts(alerts, record.status)
    needs = [*_needs(record), *((alert.severity, alert.since) for alert in listed)]
    severity, since = min(needs, key=_rank, default=(None, None))
    return Tile(
        record.table,
        pit,
        place,
        condition,
        why=tuple(_why(record, condition, now)),
        stale_since=record.last_word if condition == "silent" else None,
        alerts=listed,
        severity=severity,
        since=since,
        **(_stated(record.status) if record.status else {}),
    )


def shown_alerts(alerts: Iterable[FloorAlert], status: TableStatus | None = None) -> tuple[TileAlert, ...]:
    """These alerts of the floor, and those of the table: the most severe first, then the oldest."""
    return tuple(sorted(_listed(status, alerts), key=_severest_then_oldest))


def condition_of(record: TableRecord, now: float) -> Condition:
    """The first condition that holds."""
    status = record.status
    conditions: tuple[tuple[Condition, bool], ...] = (
        ("unknown", record.last_word is None),
        ("silent", record.is_silent(now)),
        ("down", record.core_is_down),
        ("test", bool(status and status.test)),
        ("suspended", bool(status and status.suspended)),
    )
    return next((name for name, holds in conditions if holds), "open")


def _why(record: TableRecord, condition: Condition, now: float) -> Iterator[str]:
    if alarm := record.alarm(now):
        yield alarm
    if condition in {"suspended", "test"} and record.status:
        yield from record.status.suspended


def _stated(status: TableStatus) -> dict[str, Any]:
    """What the table says, by the fields of a tile."""
    return {
        "game": status.game,
        "phase": status.state,
        "round": status.round,
        "min_bet": status.min_bet,
        "players": status.players,
        "dealer": status.dealer,
        "pace": status.pace,
        "shift": status.shift,
        "missing": tuple(name for name, state in status.devices.items() if state != RUNNING),
        "requests": tuple(sorted(status.requests, key=lambda request: (request.since, request.number))),
        "claims": status.claims,
        "levels": tuple(sorted(status.progressive.items())),
        "test": status.test,
        "directory": status.directory or NO_DIRECTORY,
        "software": status.software,
        "epoch": status.epoch,
        "money": Currency(status.currency, status.minor_digits),
        "time_zone": status.time_zone,
        "cut": status.cut,
    }


def _listed(status: TableStatus | None, alerts: Iterable[FloorAlert]) -> Iterator[TileAlert]:
    yield from map(_of_floor, alerts)
    if status:
        yield from map(_of_table, status.alerts)


def _of_floor(alert: FloorAlert) -> TileAlert:
    return TileAlert(
        "floor",
        alert.cause.kind,
        alert.text,
        alert.urgency,
        alert.first,
        alert.number,
        ended=not alert.lasts,
        who=alert.who,
        todo=alert.todo,
    )


def _of_table(alert: StatusAlert) -> TileAlert:
    """A kind of a later version is shown by its name."""
    kind = ALERT_KINDS.get(alert.code)
    text = kind.meaning if kind else alert.code
    return TileAlert(
        "table", alert.code, text[:1].upper() + text[1:], alert.severity, alert.since, alert.number
    )


def _needs(record: TableRecord) -> Iterator[Need]:
    if record.status:
        yield from ((ASKED, request.since) for request in record.status.requests)
    if record.suspended_since is not None:
        yield SUSPENDED, record.suspended_since


def _rank(need: Need) -> tuple[int, float]:
    severity, since = need
    return SEVERITIES.index(severity), since


def _severest_then_oldest(alert: TileAlert) -> tuple[int, float, str, int]:
    return SEVERITIES.index(alert.severity), alert.since, alert.source, alert.number
