"""Failing observers do not disturb the table."""

import asyncio

import pytest
import structlog

from controller.daemon.bulkhead import LOG_INTERVAL, LONGEST_PAUSE, Bulkhead
from controller.table.observer import Observer
from controller.table.record.events import Input, Noticed
from controller.table.record.notes import Alert, Note
from controller.telemetry.prometheus.registry import CollectorRegistry
from tests.fixtures.metrics import value


class Broken:
    """An observer that runs out of memory."""

    def on_input(self, _event: Input) -> None:
        raise MemoryError

    def on_note(self, _note: Note) -> None:
        raise OSError(24, "Too many open files")

    def on_commit(self, _seconds: float) -> None:
        raise ValueError("7h")

    def on_outputs(self, _seconds: float) -> None:
        raise KeyError("7h")


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def notify(witness: Observer) -> None:
    witness.on_input(Noticed("a"))
    witness.on_note(Alert("a"))
    witness.on_commit(1.0)
    witness.on_outputs(1.0)


def failures(registry: CollectorRegistry, kind: str) -> float | None:
    return value(registry, "tableside_observer_failures_total", {"kind": kind})


def test_a_failing_observer_is_counted_and_named_now_and_then() -> None:
    registry, clock = CollectorRegistry(), Clock()
    witness = Bulkhead(registry, clock).observer("metrics", Broken())
    assert failures(registry, "metrics") == 0
    with structlog.testing.capture_logs() as lines:
        notify(witness)
        notify(witness)
        clock.now += LOG_INTERVAL
        notify(witness)
    assert failures(registry, "metrics") == 12
    assert [line["why"].partition(" ")[0] for line in lines] == ["MemoryError", "MemoryError"]
    assert "7h" not in str(lines)


def test_a_call_that_fails_ends_nothing() -> None:
    registry = CollectorRegistry()
    Bulkhead(registry).contain("watchdog", [].pop)()
    assert failures(registry, "watchdog") == 1


async def test_work_that_fails_begins_anew_after_a_growing_pause() -> None:
    registry, pauses = CollectorRegistry(), list[float]()
    clock = Clock()

    async def sleep(seconds: float) -> None:
        clock.now += seconds
        pauses.append(seconds)

    async def work() -> None:
        if len(pauses) == 9:
            clock.now += 2 * LONGEST_PAUSE  # it succeeds for a while
        if len(pauses) == 10:
            raise asyncio.CancelledError
        raise OSError(24, "Too many open files")

    with pytest.raises(asyncio.CancelledError):
        await Bulkhead(registry, clock).keep_running("web", work, sleep)
    assert pauses == [1, 2, 4, 8, 16, 32, 60, 60, 60, 1]
    assert failures(registry, "web") == 10
