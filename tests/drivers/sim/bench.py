"""The body of a simulated device on a bench: its records and notices are kept, the time is a number."""

from dataclasses import dataclass, field
from typing import Any

from drivers.messages import EventBody
from drivers.sim.body import SimulatedBody
from drivers.sim.requests import Response, perform


@dataclass
class Bench:
    """An outlet that keeps everything, and a hand."""

    events: list[EventBody] = field(default_factory=list)
    notices: list[dict[str, Any]] = field(default_factory=list)

    def record(self, event: EventBody, _now: float) -> None:
        self.events.append(event)

    def say(self, notice: str, **fields: Any) -> None:
        self.notices.append({"notice": notice, **fields})

    def taken(self) -> list[EventBody]:
        """What was recorded since the last call."""
        events, self.events = self.events, []
        return events

    def said(self, name: str) -> list[dict[str, Any]]:
        """The notices of that name."""
        return [notice for notice in self.notices if notice["notice"] == name]


def ask(body: SimulatedBody, now: float, do: str, **fields: Any) -> Response:
    """A hand asks the body for something."""
    return perform(body.verbs, {"do": do, **fields}, now)


def run(body: SimulatedBody, now: float, until: float) -> float:
    """Handles everything that is due up to `until`; returns it."""
    while body.deadline <= until:
        now = max(now, body.deadline)
        body.tick(now)
    return until
