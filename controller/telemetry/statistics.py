"""One log line a minute: what the table did, how quickly, and its state."""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from resource import getpagesize
from typing import Protocol

from controller.table.record.events import Input
from controller.table.record.notes import Note, RoundEnded
from drivers.link.reports import DeviceEvent
from drivers.messages import CardDrawn

PERIOD = 60.0
"""Seconds between two lines."""
MOST_DURATIONS = 10_000
"""The newest durations that are kept for a line."""


CUMULATIVE = ("resends", "lost_lines")
"""Fields that count from the daemon's start. A line shows their increase since the previous line."""


class StatisticsLog(Protocol):
    """The log that receives the line, such as a structlog logger."""

    def info(self, event: str, **fields: object) -> object:
        """Write one line."""


@dataclass(frozen=True, slots=True)
class StatusFields:
    """State of the table for a line. `pace`: rounds an hour, None until it is known. `resends`: retransmitted
    frames, and `lost_lines`: lost lines of the log, both since the daemon started. `memory`: bytes."""

    suspended: bool
    pace: int | None
    resends: int
    alerts: int
    memory: int
    lost_lines: int = 0


class MinuteStatistics:
    """An observer that counts until `collect`. Durations in a line are in milliseconds, None if there are
    none."""

    def __init__(self) -> None:
        self._before = dict.fromkeys(CUMULATIVE, 0)
        self._reset()

    def on_input(self, event: Input) -> None:
        """Count drawn cards, without their identity."""
        if isinstance(event, DeviceEvent) and isinstance(event.body, CardDrawn) and not event.history:
            self._cards += 1

    def on_note(self, note: Note) -> None:
        """Count rounds and their wagers."""
        if isinstance(note, RoundEnded):
            self._rounds += 1
            self._wagers += len(note.round.lines)

    def on_commit(self, seconds: float) -> None:
        """Note the duration of a commit of the journal."""
        self._commits.append(seconds)

    def on_outputs(self, seconds: float) -> None:
        """Note the time from a card's arrival to the outputs that follow from it."""
        self._lamps.append(seconds)

    def collect(self, status: StatusFields) -> dict[str, object]:
        """The fields of a line. Resets the counts."""
        line: dict[str, object] = {"rounds": self._rounds, "cards": self._cards, "wagers": self._wagers}
        for name, durations in (("commit", self._commits), ("card_to_lamp", self._lamps)):
            line |= {f"{name}_p{share}_ms": _quantile(durations, share) for share in (50, 99)}
        line |= asdict(status)
        counted: dict[str, int] = {name: getattr(status, name) for name in CUMULATIVE}
        line |= {name: count - self._before[name] for name, count in counted.items()}
        self._before = counted
        self._reset()
        return line

    def _reset(self) -> None:
        self._rounds = self._cards = self._wagers = 0
        self._commits, self._lamps = deque[float](maxlen=MOST_DURATIONS), deque[float](maxlen=MOST_DURATIONS)


async def log_statistics(
    statistics: MinuteStatistics,
    status: Callable[[], StatusFields],
    log: StatisticsLog,
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
) -> None:
    """Write a line each PERIOD until cancelled."""
    while True:
        await sleep(PERIOD)
        log.info("minute", **statistics.collect(status()))


def memory() -> int:
    """The resident memory of this process in bytes."""
    pages = int(Path("/proc/self/statm").read_text("ascii").split()[1])
    return pages * getpagesize()


def _quantile(durations: deque[float], share: int) -> float | None:
    """The percentile `share` (nearest rank) of durations in seconds, in milliseconds; None without
    durations."""
    if not durations:
        return None
    place = -(-share * len(durations) // 100) - 1
    return round(1000 * sorted(durations)[place], 3)
