"""The register of the floor's own alerts. They stay open until a person acknowledges them, and record when
their cause ends."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import Final

from controller.floor.tables.alert_kinds import ALERT_KINDS, FloorAlertKind
from controller.property.status import Severity

CLOSED_KEPT: Final = 200


@dataclass(frozen=True, slots=True)
class FloorCause:
    """What an alert is about. `table` is empty for the whole property; `which` distinguishes causes of one
    kind, such as two streams."""

    kind: FloorAlertKind
    table: str = ""
    which: str = ""


@dataclass(frozen=True, slots=True)
class FloorAlert:
    """`first` and `last`: when it was raised, `ended`: when its cause ended, all in seconds of Unix time.
    `row`: the first row that is missing, or 0. `who` acknowledged it."""

    number: int
    cause: FloorCause
    text: str
    first: float
    last: float
    row: int = 0
    count: int = 1
    ended: float | None = None
    who: str = ""

    @property
    def lasts(self) -> bool:
        """Whether its cause is present."""
        return self.ended is None and not ALERT_KINDS[self.cause.kind].once

    @property
    def closed(self) -> bool:
        """Whether a person has acknowledged it and its cause is over."""
        return bool(self.who) and not self.lasts

    @property
    def todo(self) -> str:
        """What a person does about it."""
        return ALERT_KINDS[self.cause.kind].todo.format(table=self.cause.table)

    @property
    def urgency(self) -> Severity:
        """How urgently the alert needs attention: as a notice if its cause is over or a person has
        acknowledged it."""
        kind = ALERT_KINDS[self.cause.kind]
        return kind.severity if not self.who and (self.lasts or kind.once) else "notice"


class UnknownAlert(Exception):
    """No open alert has this number."""


@dataclass(slots=True)
class FloorAlerts:
    """The alerts that are not closed, and the last ones that are, newest first."""

    closed: tuple[FloorAlert, ...] = ()
    last: int = 0
    """The highest number that was given."""
    _present: dict[str, dict[FloorCause, FloorAlert]] = field(default_factory=dict)
    """By table and cause."""

    def of_table(self, table: str) -> tuple[FloorAlert, ...]:
        """Those of one table; of the property if `table` is empty."""
        return tuple(self._present.get(table, {}).values())

    def find(self, cause: FloorCause) -> FloorAlert | None:
        return self._present.get(cause.table, {}).get(cause)

    def __iter__(self) -> Iterator[FloorAlert]:
        return chain.from_iterable(alerts.values() for alerts in self._present.values())

    def raise_alert(self, cause: FloorCause, text: str, at: float, row: int = 0) -> None:
        """An alert of this cause, or one more count for the one that is there. A cause that was over is
        present again, and its alert has to be acknowledged again."""
        known = self.find(cause)
        if known is None:
            self.last += 1
            self._keep(FloorAlert(self.last, cause, text, at, at, row))
            return
        who = known.who if known.lasts else ""
        self._keep(replace(known, text=text, last=at, row=row, count=known.count + 1, ended=None, who=who))

    def watch(self, cause: FloorCause, text: str, at: float) -> None:
        """The cause is now described so; it is over if the text is empty."""
        known = self.find(cause)
        if not text:
            self.end(cause, at)
        elif known is None or not known.lasts:
            self.raise_alert(cause, text, at)
        elif known.text != text:
            self._keep(replace(known, text=text))

    def end(self, cause: FloorCause, at: float) -> None:
        known = self.find(cause)
        if known and known.lasts:
            self._keep(replace(known, ended=at))

    def acknowledge(self, number: int, who: str) -> FloorAlert:
        """Raises UnknownAlert."""
        known = next((alert for alert in self if alert.number == number and not alert.who), None)
        if known is None:
            raise UnknownAlert(f"there is no open alert {number} of the floor")
        taken = replace(known, who=who)
        self._keep(taken)
        return taken

    def _keep(self, alert: FloorAlert) -> None:
        """At its place. A closed alert leaves the others."""
        alerts = self._present.setdefault(alert.cause.table, {})
        if not alert.closed:
            alerts[alert.cause] = alert
            return
        del alerts[alert.cause]
        self.closed = (alert, *self.closed)[:CLOSED_KEPT]
