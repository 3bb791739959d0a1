"""The simulated jackpot display: levels, lines of text, a celebration, and a mark without a host."""

from collections.abc import Mapping
from typing import Any, ClassVar

from drivers.messages import Celebrate, CommandBody, Level, Text
from drivers.protocol.codes import LevelState
from drivers.sim.body import NEVER, BodyOutput, SimulatedBody
from drivers.sim.link.commands import DONE
from drivers.sim.link.memory import CommandOutcome


class DisplayBody(SimulatedBody):
    """Keeps the last values for ever, and marks them without a host."""

    commands: ClassVar[Mapping[type[CommandBody], str]] = {
        Level: "level",
        Text: "text",
        Celebrate: "celebrate",
    }

    def __init__(self, outlet: BodyOutput) -> None:
        super().__init__(outlet)
        self._levels: dict[int, tuple[int, str]] = {}
        self._lines: dict[int, str] = {}
        self._celebrated: tuple[int, int] | None = None
        self._until = NEVER
        self._lost = True

    def level(self, record: Level, _now: float) -> CommandOutcome:
        self._levels[record.id] = record.cents, LevelState(record.state).name.lower()
        return self._publish()

    def text(self, record: Text, _now: float) -> CommandOutcome:
        self._lines[record.line] = record.text
        return self._publish()

    def celebrate(self, record: Celebrate, now: float) -> CommandOutcome:
        self._celebrated, self._until = (record.id, record.cents), now + record.seconds
        return self._publish()

    @property
    def deadline(self) -> float:
        return self._until

    def tick(self, now: float) -> None:
        if now >= self._until:
            self._celebrated, self._until = None, NEVER
            self._publish()

    def power_off(self, now: float) -> None:
        self._levels, self._lines = {}, {}
        self._celebrated, self._until = None, NEVER
        super().power_off(now)

    def on_arm(self) -> None:
        self._lost = False
        self._publish()

    def on_safe(self) -> None:
        self._lost = True
        self._publish()

    def look(self) -> list[dict[str, Any]]:
        return [*super().look(), {"notice": "display", **self._picture()}]

    def _picture(self) -> dict[str, Any]:
        return {
            "levels": {str(level): list(shown) for level, shown in sorted(self._levels.items())},
            "lines": {str(line): text for line, text in sorted(self._lines.items())},
            "celebrated": self._celebrated,
            "lost": self._lost,
        }

    def _publish(self) -> CommandOutcome:
        self.outlet.say("display", **self._picture())
        return DONE
