"""Things that last: lost devices, faults, suspensions, who deals. Opened and closed by rows."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from controller.reports.facts import Interval
from controller.reports.periods import Period

LOST = "not there"

Key = tuple[str, str]
"""A device, and what lasts; the device is empty for the table itself."""


@dataclass(slots=True)
class Lasting:
    """What lasts now, and since when."""

    period: Period
    open: dict[Key, float] = field(default_factory=dict)
    over: list[Interval] = field(default_factory=list)

    def begin(self, device: str, what: str, at: float) -> None:
        """It may have begun already."""
        self.open.setdefault((device, what), at)

    def end(self, device: str, what: str, at: float) -> None:
        """It may have ended already."""
        begun = self.open.pop((device, what), None)
        if begun is not None:
            self._keep((device, what), begun, at)

    def end_all(self, at: float) -> None:
        """None of it lasts any longer."""
        for device, what in list(self.open):
            self.end(device, what, at)

    def closed(self, until: float) -> list[Interval]:
        """All that touched the period, in the order in which it began; what lasts still: until then."""
        still = (self._cut(key, begun, until, on=True) for key, begun in self.open.items())
        return sorted((*self.over, *(each for each in still if each)), key=lambda each: each.begins)

    def _keep(self, key: Key, begun: float, at: float) -> None:
        if cut := self._cut(key, begun, at, on=False):
            self.over.append(cut)

    def _cut(self, key: Key, begun: float, at: float, *, on: bool) -> Interval | None:
        """As much of it as is in the period."""
        begins, ends = max(begun, self.period.begins), min(at, self.period.ends)
        after = at > self.period.ends or on
        inside = begins < self.period.ends and ends >= begins and at >= self.period.begins
        return Interval(*key, begins, ends, open=after) if inside else None


def states(message: dict[str, Any]) -> Iterator[tuple[str, bool]]:
    """What a device's event says of things that last: what, and whether it does now."""
    for name, told in message.items():
        if name in LASTS:
            what, flag = LASTS[name]
            yield what.format(**told), bool(told[flag])


LASTS: dict[str, tuple[str, str]] = {
    "fault": ("fault {code}", "on"),
    "shoe_jam": ("card jam", "on"),
    "shuffler_jam": ("card jam", "on"),
    "sensor_fault": ("sensor of seat {seat}, spot {spot}", "on"),
    "door": ("door {which} open", "open"),
    "cover": ("cover open", "open"),
}
"""By the name of an event: what lasts, and the field that says whether it does."""
