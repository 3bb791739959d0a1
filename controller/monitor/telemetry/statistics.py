"""One line of the log a minute: what a table did, how quickly, and how it stands."""

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
"""Durations that are kept for a line, the newest ones."""


CUMULATIVE = ("resends", "lost_lines")
"""Fields that count from the daemon's start; a line shows their increase in the last minute."""


class StatisticsLog(Protocol):
    """Where the line goes; structlog's loggers are this."""

    def info(self, event: str, **fields: object) -> object:
        """One line."""


@dataclass(frozen=True, slots=True)
class StatusFields:
    """What is no matter of the last minute. `suspended`: play stands still; `pace` in rounds an hour, None:
    not known yet; `resends`: frames sent again, `lost_lines`: lines of the log lost, both since the daemon
    began; `memory` in bytes."""

    suspended: bool
    pace: int | None
    resends: int
    followers: int
    alerts: int
    memory: int
    lost_lines: int = 0


class MinuteStatistics:
    """A witness that counts until it is asked. Durations of a line are in milliseconds, None without any."""

    def __init__(self) -> None:
        self._before = dict.fromkeys(CUMULATIVE, 0)
        self._reset()

    def on_input(self, event: Input) -> None:
        """Cards, by their number alone."""
        if isinstance(event, DeviceEvent) and isinstance(event.body, CardDrawn) and not event.history:
            self._cards += 1

    def on_note(self, note: Note) -> None:
        """Rounds and their wagers."""
        if isinstance(note, RoundEnded):
            self._rounds += 1
            self._wagers += len(note.round.lines)

    def on_commit(self, seconds: float) -> None:
        """How long the disk took."""
        self._commits.append(seconds)

    def on_outputs(self, seconds: float) -> None:
        """How long a card took."""
        self._lamps.append(seconds)

    def collect(self, status: StatusFields) -> dict[str, object]:
        """The fields of a line; counting begins anew."""
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
    """A line each PERIOD until cancelled."""
    while True:
        await sleep(PERIOD)
        log.info("minute", **statistics.collect(status()))


def memory() -> int:
    """Bytes of this process that are in memory now."""
    pages = int(Path("/proc/self/statm").read_text("ascii").split()[1])
    return pages * getpagesize()


def _quantile(durations: deque[float], share: int) -> float | None:
    """The smallest one that `share` of 100 are not above, in milliseconds."""
    if not durations:
        return None
    place = -(-share * len(durations) // 100) - 1
    return round(1000 * sorted(durations)[place], 3)
