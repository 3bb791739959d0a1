"""Keeps the failures of observers and pages away from the table: a failure is logged and counted, and the
table plays on."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Coroutine, Iterator
from contextlib import contextmanager
from typing import Any, Final

import structlog

from controller.process.traces import fault_location, trace
from controller.table.observer import Observer
from controller.table.record.events import Input
from controller.table.record.notes import Note
from controller.telemetry.prometheus.instruments import Counter
from controller.telemetry.prometheus.registry import CollectorRegistry

FIRST_PAUSE: Final = 1.0
LONGEST_PAUSE: Final = 60.0
"""Seconds before a failed part restarts. The pause doubles with each failure, up to this limit."""
LOG_INTERVAL: Final = 60.0
"""Minimum seconds between two log lines about the same part, so that a part that keeps failing does not fill
the disk."""


class Bulkhead:
    """Separates the table from its observers. `steady` returns the seconds of a monotonic clock."""

    def __init__(self, registry: CollectorRegistry, steady: Callable[[], float] = time.monotonic) -> None:
        self._failures = Counter(
            "tableside_observer_failures_total",
            "Failures of what only observes the table",
            ("kind",),
            registry=registry,
        )
        self._log = structlog.get_logger("tableside.observers")
        self._steady = steady
        self._quiet: dict[str, float] = {}

    def observer(self, kind: str, observer: Observer) -> Observer:
        """Wraps an observer so that its failures do not reach the table."""
        self._failures.begin(kind)
        return _ContainedObserver(self, kind, observer)

    def contain(self, kind: str, call: Callable[[], object]) -> Callable[[], None]:
        """Wraps a call so that its failures do not reach the caller."""
        self._failures.begin(kind)

        def contained() -> None:
            self.attempt(kind, call)

        return contained

    def attempt(self, kind: str, call: Callable[..., object], *arguments: object) -> None:
        """Call `call` with the arguments. If it raises an exception, count and log it."""
        with self._contained(kind):
            call(*arguments)

    async def keep_running(
        self,
        kind: str,
        work: Callable[[], Coroutine[Any, Any, None]],
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        """Run work that does not end by itself, until cancelled. If it fails or ends, restart it after a
        pause."""
        self._failures.begin(kind)
        pause = FIRST_PAUSE
        while True:
            began = self._steady()
            with self._contained(kind):
                await work()
            pause = FIRST_PAUSE if self._steady() - began > LONGEST_PAUSE else pause
            await sleep(pause)
            pause = min(2 * pause, LONGEST_PAUSE)

    @contextmanager
    def _contained(self, kind: str) -> Iterator[None]:
        try:
            yield
        except Exception as error:  # noqa: BLE001 - no failure of an observer may halt the table
            self._failed(kind, error)

    def _failed(self, kind: str, error: Exception) -> None:
        """Count the failure and log where it happened. The log contains no values, because they might reveal
        a face-down card."""
        self._failures.add(kind)
        now = self._steady()
        if now < self._quiet.get(kind, now):
            return
        self._quiet[kind] = now + LOG_INTERVAL
        self._log.error("observer failed", part=kind, why=fault_location(error), trace=trace(error))


class _ContainedObserver:
    def __init__(self, bulkhead: Bulkhead, kind: str, observer: Observer) -> None:
        self._bulkhead, self._kind, self._observer = bulkhead, kind, observer

    def on_input(self, event: Input) -> None:
        self._bulkhead.attempt(self._kind, self._observer.on_input, event)

    def on_note(self, note: Note) -> None:
        self._bulkhead.attempt(self._kind, self._observer.on_note, note)

    def on_commit(self, seconds: float) -> None:
        self._bulkhead.attempt(self._kind, self._observer.on_commit, seconds)

    def on_outputs(self, seconds: float) -> None:
        self._bulkhead.attempt(self._kind, self._observer.on_outputs, seconds)
